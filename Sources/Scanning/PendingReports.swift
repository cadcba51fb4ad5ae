internal import DNSSD

/// The reports that a scanner has yet to make to the map. A value.
struct PendingReports {
    /// The events, in the order in which they were learned.
    private var events: [BotMapEvent] = []

    /// The endpoints that have left a question unanswered, which is no event yet.
    private var silences: [Endpoint] = []

    /// Indicates whether the map is being told.
    private(set) var isUnderWay = false

    /// Indicates whether the map knows everything.
    var isEmpty: Bool { events.isEmpty && silences.isEmpty && !isUnderWay }

    /// Adds an event.
    mutating func add(_ event: BotMapEvent) { events.append(event) }

    /// Adds an endpoint that has left a question unanswered.
    mutating func add(silenceOf endpoint: Endpoint) { silences.append(endpoint) }

    /// Removes and returns what the map is to be told next. It is being told until this returns `nil`.
    mutating func take() -> (events: [BotMapEvent], silences: [Endpoint])? {
        isUnderWay = !events.isEmpty || !silences.isEmpty
        guard isUnderWay else { return nil }
        defer { (events, silences) = ([], []) }
        return (events, silences)
    }

    /// Ends telling, since nobody tells any more.
    mutating func end() { isUnderWay = false }
}
