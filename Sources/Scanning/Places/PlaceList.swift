/// The places at which a source has found that a gateway may be. A value.
package struct PlaceList: Hashable, Sendable {
    /// The places: a gateway is only where one answers.
    package var gateways: [ManualGateway] = []

    /// The reasons why some places cannot be asked, for people.
    package var reasons: [String] = []

    package init() {}

    /// Creates the list of several sources.
    package static func + (lhs: PlaceList, rhs: PlaceList) -> PlaceList {
        var sum = lhs
        sum.gateways += rhs.gateways
        sum.reasons += rhs.reasons
        return sum
    }
}
