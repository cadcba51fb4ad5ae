/// The sessions, bus connections and objects that a backend holds, counted for those who look for leaks.
package struct AvahiHoldings: Hashable, Sendable, CustomStringConvertible {
    /// Browses and publications.
    package var sessions = 0

    /// Connections to the bus.
    package var clients = 0

    /// Browsers, resolvers and entry groups.
    package var objects = 0

    /// Nothing at all.
    package static let none = AvahiHoldings()

    package var description: String { "\(sessions) sessions, \(clients) connections, \(objects) objects" }
}
