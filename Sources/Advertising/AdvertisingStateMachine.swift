internal import DNSSD
internal import GatewayProtocol

/// Decides what is advertised about a gateway. A value: it receives the results of the checks, and returns the actions
/// to take.
///
/// Rules:
/// * only what the gateway reported last is advertised; everything else is withdrawn or replaced;
/// * a gateway is asked again who it is after a miss, and once a minute;
/// * two misses in a row withdraw the advertisement; an answer from something that is not a gateway withdraws it at
///   once;
/// * another gateway (dialect or fingerprint), another name or other interfaces make another advertisement: the old one
///   is withdrawn, and the new one published; every other change is a change of the TXT record;
/// * a gateway that others cannot reach is not advertised, unless that is forced.
struct AdvertisingStateMachine: Sendable {
    /// An advertisement that is published, with the gateway that it is for.
    private struct Published: Hashable {
        var advertisement: Advertisement
        var facts: AdvertisedFacts
        var isReachable: Bool
    }

    /// The advertisement that should be published, or the reason why none should.
    private enum Wish {
        case advertise(Published)
        case withhold(WithholdingReason)
    }

    /// The number of misses in a row after which the advertisement is withdrawn.
    private static let misses = 2

    /// The number of checks from one that asks the addresses on the network to the next, while all is well.
    private static let networkRounds = 3

    /// The number of checks from one that asks everything to the next, while nothing is published: a gateway of another
    /// dialect may have come.
    private static let thoroughRounds = 8

    /// The number of checks, while the gateway answers and yet is not published, each of which asks the addresses on the
    /// network: what keeps it from being published may be over soon.
    private static let eagerRounds = 5

    /// The number of checks from one that asks the addresses on the network to the next, after those: it can stay like
    /// this for days.
    private static let withheldRounds = 15

    /// The number of checks from one that asks the gateway who it is to the next: at two seconds each, this is once a
    /// minute.
    private static let wholeRounds = 30

    /// The current state of the advertising.
    private(set) var state = AdvertisingState.asking

    private let configuration: GatewayAdvertiserConfiguration
    private var known: AdvertisedFacts?
    private var reachability = Reachability()
    private var published: Published?
    private var missed = 0
    private var rounds = 0
    private var roundsSinceWhole = 0
    private var publications = 0

    /// The number of answers of the gateway in a row since it is not published.
    private var withheldAnswers = 0

    init(_ configuration: GatewayAdvertiserConfiguration) {
        self.configuration = configuration
    }

    /// Decides what to ask next.
    mutating func nextRound() -> CheckRound {
        rounds += 1
        roundsSinceWhole += 1
        // After a miss, another gateway may have taken the port.
        let isWhole = known == nil || missed > 0 || roundsSinceWhole >= Self.wholeRounds
        if isWhole { roundsSinceWhole = 0 }
        let isCalm = published != nil && missed == 0 && !reachability.isUnsettled
        return CheckRound(
            known: known,
            isWhole: isWhole,
            isThorough: published == nil && rounds.isMultiple(of: Self.thoroughRounds),
            asksNetwork: reachability.isUnsettled || isNetworkDue,
            addresses: reachability.addresses,
            pace: isCalm && known?.dialect.statesAllFacts == false ? 2 : 1
        )
    }

    /// Indicates whether the addresses on the network are to be asked once more. New ones are asked in any case.
    private var isNetworkDue: Bool {
        guard published == nil else { return rounds.isMultiple(of: Self.networkRounds) }
        return withheldAnswers < Self.eagerRounds || withheldAnswers.isMultiple(of: Self.withheldRounds)
    }

    /// Decides what to do about the result of a check.
    mutating func receive(_ result: CheckResult) -> [AdvertisingAction] {
        switch result.answer {
        case .foreignAddress(let address):
            return lose(.otherHost(address))
        case .other(let answer):
            return lose(.noGateway(answer))
        // The gateway was not asked, so this does not count as a miss.
        case .nothing(.noSocket) where published != nil:
            return []
        case .nothing(let reason):
            missed += 1
            guard published == nil || missed >= Self.misses else { return [] }
            return lose(.noAnswer(reason))
        case .gateway(let facts):
            missed = 0
            if let known, !known.areOfTheSameGateway(as: facts) { reachability = Reachability() }
            known = facts
            reachability.receive(result.addresses, result.answers, from: facts, isStrict: published == nil)
            let actions = advertise(facts)
            withheldAnswers = published == nil ? withheldAnswers + 1 : 0
            return actions
        }
    }

    /// Decides what to do about a change of a publication.
    mutating func receive(_ publication: PublicationState, of number: Int) -> [AdvertisingAction] {
        // States of an earlier publication do not matter any more.
        guard number == publications, let published else { return [] }
        switch publication {
        case .failed(let error):
            self.published = nil
            state = .failed(error)
            return [.finish]
        // The withdrawal was decided here.
        case .withdrawn:
            return []
        case .publishing, .published, .renamed:
            state = .advertising(published.facts, published.advertisement, publication)
            return []
        }
    }

    /// Withholds a gateway that is not there. The addresses must be asked again when it is back.
    private mutating func lose(_ reason: WithholdingReason) -> [AdvertisingAction] {
        reachability = Reachability()
        withheldAnswers = 0
        return withhold(reason)
    }

    private mutating func withhold(_ reason: WithholdingReason) -> [AdvertisingAction] {
        state = .withheld(reason)
        guard published != nil else { return [] }
        published = nil
        return [.withdraw]
    }

    private mutating func advertise(_ facts: AdvertisedFacts) -> [AdvertisingAction] {
        let wanted: Published
        switch wish(facts) {
        case .advertise(let wish): wanted = wish
        case .withhold(let reason): return withhold(reason)
        }
        guard let published else { return publish(wanted) }
        var sameButTXT = published.advertisement
        sameButTXT.txt = wanted.advertisement.txt
        guard sameButTXT == wanted.advertisement, published.facts.areOfTheSameGateway(as: facts) else {
            return [.withdraw] + publish(wanted)
        }
        self.published = wanted
        if case .advertising(_, _, let publication) = state {
            state = .advertising(facts, wanted.advertisement, publication)
        }
        let isSame = published.advertisement == wanted.advertisement
        return isSame ? [] : [.update(wanted.advertisement.txt)]
    }

    private mutating func publish(_ wanted: Published) -> [AdvertisingAction] {
        publications += 1
        published = wanted
        state = .advertising(wanted.facts, wanted.advertisement, .publishing(waitingFor: nil))
        return [.publish(wanted.advertisement, number: publications)]
    }

    /// Decides what should be advertised about a gateway, or why nothing should.
    private func wish(_ facts: AdvertisedFacts) -> Wish {
        let given = configuration.name.flatMap { AdvertisedFacts.publishable($0) }
        if let given, let said = facts.name, said != given { return .withhold(.otherName(said: said)) }
        let types = configuration.types.isEmpty ? facts.dialect.serviceType.map { [$0] } ?? [] : configuration.types
        guard !types.isEmpty else { return .withhold(.noServiceType(facts.dialect)) }

        var interfaces = configuration.interfaces
        var isReachable = false
        switch reachability.verdict {
        case .reachable(let answering, let isEverywhere):
            isReachable = true
            if !isEverywhere, !configuration.isForced { interfaces = answering }
        case .undecided:
            // The interfaces stay as published until the next check decides.
            guard let published else { return .withhold(.notReachable(addresses: [])) }
            interfaces = published.advertisement.interfaces
            isReachable = published.isReachable
        case .unreachable(let reason):
            guard configuration.isForced else { return .withhold(reason) }
        }

        let name =
            facts.name ?? given ?? AdvertisedFacts.publishable(configuration.defaultName) ?? facts.dialect.rawValue
        do {
            var txt = try facts.txtRecord(name: name, port: configuration.port, isDirectlyReachable: isReachable)
            for entry in configuration.additions.entries { try txt.set(entry.value, forKey: entry.key) }
            let advertisement = Advertisement(
                name: facts.instanceName(name),
                types: types,
                port: configuration.port,
                txt: txt,
                interfaces: interfaces
            )
            return .advertise(Published(advertisement: advertisement, facts: facts, isReachable: isReachable))
        } catch {
            return .withhold(.notPublishable(error.message))
        }
    }
}

/// An action to take on an advertisement.
enum AdvertisingAction: Hashable, Sendable {
    /// Publish this. The number comes back with each state of the publication.
    case publish(Advertisement, number: Int)

    /// Replace the TXT record of the publication.
    case update(TXTRecord)

    /// Withdraw the publication.
    case withdraw

    /// End, because publishing failed permanently.
    case finish
}
