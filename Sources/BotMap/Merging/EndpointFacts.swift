/// What is known of one endpoint, whatever leads to it.
struct EndpointFacts {
    /// What came of the last probe.
    var outcome: ProbeOutcome?

    /// What the last check of liveness said.
    var checked: Liveness?

    /// How long the last answer took.
    var roundTrip: Duration?

    /// What leads to it, in no order.
    var leads: [GatewayLead] = []

    /// How many of ``leads`` are present.
    var presentLeads = 0

    /// Whether it waits among those that nothing leads to, to be forgotten.
    var isRemembered = false

    /// Whether it was told that too many lead to it.
    var isCrowded = false

    /// Whether it answers: a gateway that has just answered a probe does, until a check says otherwise.
    var liveness: Liveness? { checked ?? (outcome?.identity == nil ? nil : .answering) }

    /// Whether nothing was learned of it.
    var isBlank: Bool { outcome == nil && checked == nil }
}
