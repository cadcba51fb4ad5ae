/// The connections that an agent serves at one entrance: those of users that it knows, and a small share for strangers, who
/// have not shown a token yet. Strangers take each other's places, so that however many there are, none of them keeps anybody
/// with a token out. A value.
struct ConnectionShares: Hashable, Sendable {
    /// A connection, by the object that it is.
    typealias Connection = ObjectIdentifier

    /// The maximum number of connections of users that are known.
    static let most = 64

    /// The maximum number of those of strangers.
    static let mostStrangers = 16

    private var known: Set<Connection> = []

    /// The strangers, in the order in which they came.
    private var strangers: [Connection] = []

    /// Takes in a connection of a user who is known; `false` if there are too many.
    mutating func enter(known connection: Connection) -> Bool {
        guard known.count < Self.most else { return false }
        known.insert(connection)
        return true
    }

    /// Takes in a connection of a stranger.
    ///
    /// - Returns: The connection that has to go for it; `nil` if there is room.
    mutating func enter(stranger connection: Connection) -> Connection? {
        strangers.append(connection)
        return strangers.count > Self.mostStrangers ? strangers.removeFirst() : nil
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
