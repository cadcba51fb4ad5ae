internal import DNSSD

/// The state that a ``AvahiBrowseStateMachine`` keeps of one instance.
struct BrowsedInstance {
    /// The object that looks it up for the first time.
    var resolver: ObjectID?

    /// The object that watches its SRV records; `nil` while there is no daemon.
    var location: ObjectID?

    /// The object that watches its TXT records; `nil` while there is no daemon.
    var text: ObjectID?

    /// Its paths: those on which it is seen, and those on which only its records have been reported so far.
    var paths: [AvahiPath: BrowsedPath] = [:]

    /// The hosts that its SRV records name.
    var hosts: Set<DomainName> = []

    /// Marks everything as unconfirmed, since the daemon is gone.
    mutating func doubt() {
        resolver = nil
        location = nil
        text = nil
        for key in paths.keys { paths[key]?.doubt() }
    }

    /// Removes the records that have not been confirmed.
    ///
    /// - Returns: Whether anything changed.
    mutating func dropUnconfirmed() -> Bool {
        var isChanged = false
        for key in paths.keys where paths[key]?.dropUnconfirmed() == true { isChanged = true }
        return isChanged
    }
}
