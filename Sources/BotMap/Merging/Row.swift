/// One gateway as it is shown.
struct Row: SlabValue {
    var gateway: Gateway

    var key: GatewayID { gateway.id }

    mutating func vacate() {
        gateway = .nobody
    }
}
