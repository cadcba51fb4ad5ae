internal import DNSSD

/// What is known of one endpoint, whatever leads to it.
struct EndpointFacts: SlabValue {
    /// Which endpoint.
    let key: Endpoint

    // What a check of liveness needs comes first, close together.

    /// What the last check of liveness said.
    var checked: Liveness?

    /// Whether it waits among those that nothing leads to, to be forgotten.
    var isRemembered = false

    /// Whether it was told that too many lead to it.
    var isCrowded = false

    /// How long the last answer took.
    var roundTrip: Duration?

    /// How many of ``leads`` are present.
    var presentLeads: Int32 = 0

    /// The row that shows it, where but one lead leads to it; of several, each knows its row.
    var row: Slot<Row>?

    /// What came of the last probe.
    var outcome: ProbeOutcome?

    /// What leads to it, in no order.
    var leads: [Slot<Lead>] = []

    init(_ endpoint: Endpoint) {
        self.key = endpoint
    }

    /// Whether it answers: a gateway that has just answered a probe does, until a check says otherwise.
    var liveness: Liveness? { checked ?? (outcome?.identity == nil ? nil : .answering) }

    /// Whether nothing was learned of it.
    var isBlank: Bool { outcome == nil && checked == nil }

    mutating func vacate() {
        self = EndpointFacts(key)
    }
}
