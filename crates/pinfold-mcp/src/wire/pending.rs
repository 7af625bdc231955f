//! Requests that are not answered yet.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rmcp::{
    RoleServer,
    model::{ClientNotification, JsonRpcMessage, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
};
use tokio::sync::Notify;

/// Requests that may wait for their answers before the next line is read: then the client feels the back-pressure of a
/// full pipe. Many more than run at once, since a line that is not read may be a cancellation.
const MOST: usize = 1_024;

/// The ids of the requests that are under way.
#[derive(Debug, Default)]
pub(super) struct Pending {
    ids: Mutex<HashSet<RequestId>>,
    fewer: Notify,
}

impl Pending {
    /// Waits until there is room for one more. May be broken off and called again.
    pub(super) async fn room(&self) {
        while self.ids().len() >= MOST {
            self.fewer.notified().await;
        }
    }

    /// Notes what comes in. False: a request whose id another one has that is not answered yet, so that nobody could tell
    /// the answers apart.
    pub(super) fn takes(&self, message: &RxJsonRpcMessage<RoleServer>) -> bool {
        match message {
            JsonRpcMessage::Request(request) => self.ids().insert(request.id.clone()),
            JsonRpcMessage::Notification(notification) => {
                // A cancelled request is never answered.
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.forget(id);
                }
                true
            }
            _ => true,
        }
    }

    /// Notes what goes out.
    pub(super) fn answered(&self, message: &TxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Response(response) => self.forget(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.forget(id)),
            _ => {}
        }
    }

    fn forget(&self, id: &RequestId) {
        if self.ids().remove(id) {
            self.fewer.notify_one();
        }
    }

    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        // A set of ids is whole at every moment.
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
