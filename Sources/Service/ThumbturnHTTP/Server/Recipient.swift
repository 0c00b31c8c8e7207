import Glibc

/// The connection that waits for the answer to a request.
struct Recipient: Sendable {
    private let mailbox: Mailbox
    /// The connection's number in its loop, which no later connection gets.
    private let token: UInt64
    private let content: ContentPlace
    private let closes: Bool
    private let omitsBody: Bool

    /// - Parameters:
    ///   - content: the request's, which counts until there is an answer.
    ///   - closes: whether the connection ends with the answer.
    ///   - omitsBody: whether the answer must not have content.
    init(_ mailbox: Mailbox, token: UInt64, content: ContentPlace, closes: Bool, omitsBody: Bool) {
        (self.mailbox, self.token, self.content) = (mailbox, token, content)
        (self.closes, self.omitsBody) = (closes, omitsBody)
    }

    /// Sends the answer, from any thread, and overwrites it; if the connection has ended, it is only overwritten.
    func answer(_ response: consuming HTTPResponse) {
        let bytes = WipedBytes(response.wire(closes: closes, omitsBody: omitsBody, date: time(nil)))
        response.body.wipe()
        // First of all, so that whoever has the answer may send as much again.
        content.leave()
        mailbox.post(.answer(bytes, closes: closes, heldFor: response.heldMilliseconds, token: token))
    }

    /// Tells the connection that the queue had no room for its request.
    func refuse() { mailbox.post(.refuse(token: token)) }

    func isSame(as other: Recipient) -> Bool { mailbox === other.mailbox && token == other.token }
}
