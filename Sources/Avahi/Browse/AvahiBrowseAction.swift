internal import DNSSD

/// An action that a ``AvahiBrowseStateMachine`` asks for.
enum AvahiBrowseAction: Hashable, Sendable {
    /// Browse for the instances of a type (an entry of `ServiceType.browseTypes`).
    case browse(ObjectID, type: String)

    /// Look up the SRV and TXT records of an instance on a path, once. This is faster than ``watch(_:name:type:)`` for
    /// both, which takes two calls.
    case resolve(ObjectID, ServiceInstance, on: AvahiPath)

    /// Watch the records of an escaped name. Addresses go before the others, since they complete instances that are
    /// already half known.
    case watch(ObjectID, name: String, type: RecordType)

    /// Free the object. If it has not been made yet, do not make it.
    case free(ObjectID)

    /// The object that the action is about.
    var object: ObjectID {
        switch self {
        case .browse(let object, _), .resolve(let object, _, _), .watch(let object, _, _), .free(let object): object
        }
    }
}
