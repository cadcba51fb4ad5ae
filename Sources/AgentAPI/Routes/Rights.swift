/// The rights of somebody who asks an agent. There are none unless it is said.
struct Rights: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// To see what the agent knows.
    static let read = Rights(rawValue: 1 << 0)

    /// To make the agent do something.
    static let change = Rights(rawValue: 1 << 1)

    /// To see secrets, and to hand them to the agent, which passes them on.
    static let secret = Rights(rawValue: 1 << 2)

    /// The rights of the user who runs the agent, at its Unix socket.
    static let owner: Rights = [.read, .change, .secret]
}
