/// The sessions, bus connections and objects that a backend holds, counted so that leaks can be found.
package struct AvahiHoldings: Hashable, Sendable, CustomStringConvertible {
    /// The number of browses and publications.
    package var sessions = 0

    /// The number of connections to the bus.
    package var clients = 0

    /// The number of browsers, resolvers and entry groups.
    package var objects = 0

    /// Nothing at all.
    package static let none = AvahiHoldings()

    package var description: String { "\(sessions) sessions, \(clients) connections, \(objects) objects" }
}
