internal import GatewayProtocol

extension StoredPairing {
    /// Indicates whether its token is typed for each session, and never stored: it opens all of its gateway for everybody, and
    /// everybody on the way can read it.
    package var needsTypedToken: Bool { dialect.hasOneToken && trust.isPlain }

    /// The command that opens a session with a token that is typed, after its name.
    package static let typingOptions = "--token-file FILE --send-in-clear"
}
