internal import DNSSD

/// What a ``BrowseStateMachine`` wants done.
enum BrowseAction: Hashable, Sendable {
    /// Browse for the instances of a type (an entry of `ServiceType.browseNames`).
    case browse(ObjectID, type: String)

    /// Watch the records of an escaped name. Addresses go before the rest: they complete what is already half known.
    case watch(ObjectID, name: String, type: RecordType)

    /// Free the object. If it has not been made yet, do not make it.
    case free(ObjectID)

    /// The object that it is about.
    var object: ObjectID {
        switch self {
        case .browse(let object, _), .watch(let object, _, _), .free(let object): object
        }
    }
}
