package import GatewayProtocol
internal import Reports

/// The messages within the last hour, by what they count in, and the limits on them. A value.
struct MessageLimits: Hashable, Sendable {
    /// Messages that are counted together.
    enum Group: Hashable, Sendable {
        case all
        /// Those about this host.
        case network
        /// Those about devices that wait for an approval.
        case approvals
        /// Those about gateways that are not the user's own.
        case others
        /// Those about one gateway, about devices that wait there, and about the access that it has revoked.
        case gateway(String)
        case approvalsAt(String)
        case revocationsOf(String)

        /// The groups that the next run of the agent goes on with, by their names. Those of gateways are in their memories.
        static let remembered = ["all": all, "network": network, "approvals": approvals, "others": others]
    }

    /// A message that may be told, as far as its limits depend on it.
    struct Message: Hashable, Sendable {
        let kind: Notice.Kind

        /// The gateways that it is about, all of them the user's own or none.
        var keys: [String] = []
        var isOwn = true

        /// The groups in which it counts.
        var groups: [Group] {
            let others: [Group] = isOwn ? [.all] : [.all, .others]
            return switch kind.rule.limit {
            case .presence where isOwn: [.all]
            case .presence, .gateway: others + keys.map { .gateway($0) }
            case .approvals: others + [.approvals] + keys.map { .approvalsAt($0) }
            case .revocations: [.all] + keys.map { .revocationsOf($0) }
            case .host: [.all, .network]
            case .all: [.all]
            }
        }

        /// The groups that limit it.
        var limits: [Group] { kind.rule.limit == .presence && isOwn ? [] : groups }
    }

    private var counted: [Group: HourlyLimit]

    /// Indicates whether one was counted since the limits were remembered last.
    private var isNew = false

    /// - Parameter times: The messages that an earlier run of the agent has counted.
    init(_ times: NoticeLimits, at moment: Moment) {
        counted = times.times.mapValues { HourlyLimit($0, at: moment) }
    }

    /// Goes on with the messages about a gateway that is watched from now on.
    mutating func begin(_ key: String, _ memory: GatewayMemory, at moment: Moment) {
        counted[.gateway(key)] = HourlyLimit(memory.messages, at: moment)
        counted[.approvalsAt(key)] = HourlyLimit(memory.approvalMessages, at: moment)
    }

    /// Forgets the messages about a gateway that is watched no more.
    mutating func forget(_ key: String) {
        counted[.gateway(key)] = nil
        counted[.approvalsAt(key)] = nil
    }

    /// The times of the messages of a group.
    func times(_ group: Group) -> [Timestamp] { counted[group]?.times ?? [] }

    /// Indicates whether a message is allowed.
    func allows(_ message: Message, _ policy: NoticePolicy, at now: ContinuousClock.Instant) -> Bool {
        message.limits.allSatisfy { counted[$0]?.allows(most: Self.most(of: $0, policy), at: now) ?? true }
    }

    /// Counts a message that is allowed.
    mutating func count(_ message: Message, at moment: Moment) {
        for group in message.groups { counted[group, default: HourlyLimit()].count(at: moment) }
        isNew = true
    }

    /// Counts a message if it is allowed.
    mutating func take(_ message: Message, _ policy: NoticePolicy, at moment: Moment) -> Bool {
        guard allows(message, policy, at: moment.instant) else { return false }
        count(message, at: moment)
        return true
    }

    /// Returns the time at which a message is allowed; `nil` if it is now.
    func end(of message: Message, _ policy: NoticePolicy, at now: ContinuousClock.Instant) -> Timestamp? {
        message.limits.compactMap { counted[$0]?.end(most: Self.most(of: $0, policy), at: now) }.max()
    }

    /// Returns what the next run of the agent has to know; `nil` if that has not changed.
    mutating func remember() -> NoticeLimits? {
        guard isNew else { return nil }
        isNew = false
        return NoticeLimits(counted)
    }

    /// Returns the maximum number of messages of a group. What anybody can bring about leaves room for the rest.
    private static func most(of group: Group, _ policy: NoticePolicy) -> Int {
        switch group {
        case .all: policy.most
        case .others: max(1, policy.most / 2)
        case .approvals: max(1, policy.most / 3)
        case .network, .gateway, .approvalsAt, .revocationsOf: policy.mostPerGateway
        }
    }
}

/// The messages of the last hour that are not about one gateway alone: for the next run of the agent, which must not begin to
/// count anew. A value.
package struct NoticeLimits: Hashable, Sendable {
    fileprivate let times: [MessageLimits.Group: [Timestamp]]

    package init() { times = [:] }

    fileprivate init(_ counted: [MessageLimits.Group: HourlyLimit]) {
        let groups = MessageLimits.Group.remembered.values
        times = counted.filter { groups.contains($0.key) }.mapValues(\.times).filter { !$0.value.isEmpty }
    }

    /// Reads what ``json`` has written.
    package init(_ json: JSONValue) {
        let known = MessageLimits.Group.remembered.map { ($1, Timestamp.all(json[$0])) }
        times = Dictionary(uniqueKeysWithValues: known).filter { !$0.value.isEmpty }
    }

    package var json: JSONValue {
        .object(MessageLimits.Group.remembered.mapValues { JSONValue((times[$0] ?? []).map(\.description)) })
    }
}
