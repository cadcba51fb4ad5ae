package import DNSSD

/// A demand of the map on whoever asks endpoints: what it wants to know of one of them, and why. It cannot tell what is
/// where before that is answered, or has been missed twice.
package struct EndpointDemand: Hashable, Sendable {
    /// The reasons why an endpoint is to be asked.
    package enum Reason: Hashable, Sendable {
        /// Others claim the fingerprint that it answers with, and are shown once it has answered or stopped.
        case claimed

        /// Something that led to it does so no more.
        case withdrawn

        /// It answers for the first time as the gateway that it is, or again after it was gone: its second answer shows
        /// whether its records have followed.
        case newIdentity

        /// Another gateway answers at the same port of the same machine, and may have taken its place.
        case replaced

        /// Another endpoint of its gateway says something else than before.
        case changedElsewhere

        /// Another endpoint of its gateway has left a question unanswered: this one may answer.
        case silentElsewhere

        /// It decides from now on whether its gateway answers.
        case leads

        /// Another endpoint decides from now on whether its gateway answers.
        case follows
    }

    /// The endpoint.
    package let endpoint: Endpoint

    /// The reason why it is to be asked.
    package let reason: Reason

    /// Creates a demand.
    package init(_ endpoint: Endpoint, _ reason: Reason) {
        self.endpoint = endpoint
        self.reason = reason
    }
}

/// The reply of the map to reports of the one that asks endpoints.
package struct MapReply: Sendable {
    /// The demands of the map: the endpoints that are to be asked.
    package let demands: [EndpointDemand]

    /// The number of rows at whose endpoints a gateway has answered.
    package let gatewayCount: Int
}
