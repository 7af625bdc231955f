//! Which message begins a conversation.

use rmcp::{
    RoleServer,
    model::{ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion},
    service::RxJsonRpcMessage,
};

use crate::server::REVISIONS;

/// Whether the library may see this message before the conversation has begun: it takes anything but a request there
/// for the end of it, though clients do send notifications early.
pub(super) fn may_come_first(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    matches!(message, JsonRpcMessage::Request(_))
}

/// Whether the conversation has begun with this message: with a handshake, or with a request that brings along all that
/// the stateless revision wants. Questions about what is spoken here leave that open.
pub(super) fn begins(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Request(message) = message else { return false };
    match &message.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        request => {
            let meta = request.get_meta();
            meta.protocol_version().is_some_and(|revision| REVISIONS.contains(&revision))
                && meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
        }
    }
}
