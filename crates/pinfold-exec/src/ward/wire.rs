//! Frames on a socket: four bytes of length, so many bytes of body, and descriptors beside the first byte.

use std::{
    io::{self, IoSlice, IoSliceMut, Read, Write},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
};

use rustix::{
    cmsg_space,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, recvmsg, sendmsg,
    },
};

/// The most descriptors beside a frame: program, directory, two streams.
const DESCRIPTORS: usize = 4;

/// The longest body: what execve(2) takes at most, and some more.
const LONGEST: usize = 8 << 20;

/// What came over a socket.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) body: Vec<u8>,
    pub(super) descriptors: Vec<OwnedFd>,
}

/// The bytes of a frame with this body.
pub(super) fn framed(body: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= LONGEST);
    let length = length.ok_or(io::ErrorKind::ArgumentListTooLong)?;
    Ok([&length.to_le_bytes(), body].concat())
}

/// Sends as many bytes of a frame as the socket takes, the descriptors beside the first. Returns how many; the rest is
/// written like any other bytes.
pub(super) fn send_first(
    socket: impl AsFd,
    frame: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(sendmsg(socket, &[IoSlice::new(frame)], &mut beside, SendFlags::NOSIGNAL)?)
}

/// Sends a whole frame, waiting if need be.
pub(super) fn send(mut socket: &UnixStream, body: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let frame = framed(body)?;
    let sent = send_first(socket, &frame, descriptors)?;
    socket.write_all(&frame[sent..])
}

/// Waits for a whole frame. `None`: the other side is gone.
pub(super) fn receive(mut socket: &UnixStream) -> io::Result<Option<Frame>> {
    let mut length = [0; 4];
    let (read, descriptors) = receive_first(socket, &mut length)?;
    if read == 0 {
        return Ok(None);
    }
    socket.read_exact(&mut length[read..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body)?;
    Ok(Some(Frame { body, descriptors }))
}

fn receive_first(socket: &UnixStream, into: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let received = recvmsg(socket, &mut [IoSliceMut::new(into)], &mut beside, RecvFlags::CMSG_CLOEXEC)?;
    let mut descriptors = Vec::new();
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    Ok((received.bytes, descriptors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_arrive_whole_with_their_descriptors() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let long = vec![7_u8; 1 << 20];
        let sender = std::thread::spawn(move || {
            let fds = [ours.as_fd(), ours.as_fd()];
            send(&ours, b"first", &fds).unwrap();
            send(&ours, &long, &[]).unwrap();
            send(&ours, b"", &fds[..1]).unwrap();
        });
        let next = || receive(&theirs).unwrap();
        let first = next().unwrap();
        assert_eq!((&*first.body, first.descriptors.len()), (&b"first"[..], 2));
        let second = next().unwrap();
        assert_eq!((second.body.len(), second.descriptors.len()), (1 << 20, 0));
        assert_eq!(next().unwrap().descriptors.len(), 1);
        drop(first);
        assert!(next().is_none());
        sender.join().unwrap();
    }

    #[test]
    fn what_is_too_long_is_not_sent() {
        assert!(framed(&vec![0; LONGEST + 1]).is_err());
    }
}
