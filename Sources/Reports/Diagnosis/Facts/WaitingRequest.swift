package import GatewayProtocol

/// A request of this device, which is not paired yet, that waits for an approval: as the agent tells that has made it.
package struct WaitingRequest: Hashable, Sendable {
    /// The dialect of the gateway.
    package let dialect: GatewayDialect

    /// The time since which it waits, in milliseconds since 1970.
    package let since: Int

    /// Its identifier; `nil` if the gateway gave none.
    package let id: String?

    /// The command that approves it on the gateway's host; `nil` where that is not known.
    package let command: String?

    /// Creates a request. An identifier that is none is left out.
    package init(dialect: GatewayDialect, since: Int, id: String?, command: String?) {
        self.dialect = dialect
        self.since = since
        self.id = id.flatMap { SessionRefusal.isRequestID($0) ? $0 : nil }
        self.command = command
    }
}
