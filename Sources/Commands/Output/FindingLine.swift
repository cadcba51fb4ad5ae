/// One thing that a scan found, as a line of JSON; `kind` says which.
struct FindingLine: Encodable, Hashable {
    /// `gateway`, `other` or `service`.
    let kind: String
    let gateway: FoundGatewayOutput?
    let other: OtherOutput?
    let service: ServiceOutput?

    init(_ gateway: FoundGatewayOutput) { (kind, self.gateway, other, service) = ("gateway", gateway, nil, nil) }
    init(_ other: OtherOutput) { (kind, gateway, self.other, service) = ("other", nil, other, nil) }
    init(_ service: ServiceOutput) { (kind, gateway, other, self.service) = ("service", nil, nil, service) }
}
