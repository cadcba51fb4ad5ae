/// The connections that an agent serves at one entrance: those of users that it knows, and a small share for strangers, who
/// have not shown a token yet. Strangers take each other's places, so that however many there are, none of them keeps anybody
/// with a token out. Which one goes is drawn by lot: whoever connects in a loop would know otherwise how often it has to, for
/// everybody to go who is about to show a token. A value.
struct ConnectionShares: Hashable, Sendable {
    /// A connection, by the object that it is.
    typealias Connection = ObjectIdentifier

    /// The maximum number of connections of users that are known.
    static let most = 64

    /// The maximum number of those of strangers.
    static let mostStrangers = 64

    private var known: Set<Connection> = []

    /// The strangers.
    private var strangers: [Connection] = []

    /// Takes in a connection of a user who is known; `false` if there are too many.
    mutating func enter(known connection: Connection) -> Bool {
        guard known.count < Self.most else { return false }
        known.insert(connection)
        return true
    }

    /// Takes in a connection of a stranger.
    ///
    /// - Parameter generator: Draws the one that has to go.
    /// - Returns: The connection that has to go for it; `nil` if there is room.
    mutating func enter(
        stranger connection: Connection,
        using generator: inout some RandomNumberGenerator
    ) -> Connection? {
        defer { strangers.append(connection) }
        guard strangers.count >= Self.mostStrangers else { return nil }
        return strangers.remove(at: Int.random(in: strangers.indices, using: &generator))
    }

    /// Takes in that a connection has shown a token; `false` if there are too many that have.
    mutating func prove(_ connection: Connection) -> Bool {
        guard !known.contains(connection) else { return true }
        guard enter(known: connection) else { return false }
        strangers.removeAll { $0 == connection }
        return true
    }

    /// Indicates whether a connection is that of a stranger.
    func isStranger(_ connection: Connection) -> Bool { strangers.contains(connection) }

    /// Takes in that a connection is closed.
    mutating func leave(_ connection: Connection) {
        known.remove(connection)
        strangers.removeAll { $0 == connection }
    }
}
