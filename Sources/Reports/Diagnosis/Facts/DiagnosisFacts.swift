package import GatewayProtocol
package import Pairing

/// Everything that is known of one gateway at one moment, from which a ``Diagnosis`` is made. A value.
package struct DiagnosisFacts: Hashable, Sendable {
    /// The word for a shell that means the gateway, such as `"Home Gateway"`; `nil` if neither its name nor an address of it
    /// could be copied.
    package var word: String?

    /// The places at which the gateway is, was, or is said to be.
    package var places: [PlaceFacts]

    /// Indicates whether somebody advertises it, so that it can be paired with by its name.
    package var isAdvertised = true

    /// The reasons why its advertisements lead to no address, for people; untrusted.
    package var obstacles: [String]

    /// The reason why nothing is known at what was typed, for people; `nil` if there is none.
    package var absence: String?

    /// The question whether another name was meant, with a space before it, for people; empty if no name is near. Cleaned.
    package var suggestion = ""

    /// The state of its pairing, as every view shows it; `nil` if it is not paired.
    package var pairing: PairedStatus?

    /// The reason why the store's secrets cannot be opened, for people; `nil` if they can.
    package var keyProblem: String?

    /// The reason why no session with it came about where one was tried, for people; `nil` if one did, or none was tried.
    package var sessionProblem: String?

    /// Indicates whether this host is connected to a network.
    package var hasNetwork: Bool

    /// Indicates whether this host is connected to a tailnet, whose machines a scan asks on request.
    package var isInTailnet = false

    /// Indicates whether another row claims the fingerprint of the gateway, which is not paired.
    package var isClaimedByOthers: Bool

    /// The request of this device that waits there, if an agent has made one; `nil` if none is known.
    package var request: WaitingRequest?

    /// The readiness that the gateway reports; `nil` while that is not known.
    package var readiness: Readiness?

    /// The time, in milliseconds since 1970.
    package var now: Int

    /// Creates facts; by default those of a gateway that is not paired and not known at any place.
    package init(
        word: String?,
        places: [PlaceFacts] = [],
        obstacles: [String] = [],
        absence: String? = nil,
        pairing: PairedStatus? = nil,
        keyProblem: String? = nil,
        sessionProblem: String? = nil,
        hasNetwork: Bool = true,
        isClaimedByOthers: Bool = false,
        request: WaitingRequest? = nil,
        readiness: Readiness? = nil,
        now: Int
    ) {
        self.word = word
        self.places = places
        self.obstacles = obstacles
        self.absence = absence
        self.pairing = pairing
        self.keyProblem = keyProblem
        self.sessionProblem = sessionProblem
        self.hasNetwork = hasNetwork
        self.isClaimedByOthers = isClaimedByOthers
        self.request = request
        self.readiness = readiness
        self.now = now
    }

    /// The command that pairs with it, or shows by which names and addresses it is known. By its name where somebody
    /// advertises it or the user has typed an address, else at the place where it answers or was.
    var pair: String {
        guard !isAdvertised, !places.contains(where: { $0.sources.contains(.typed) }) else {
            return word.map { "clawradar pair \($0)" } ?? "clawradar scan"
        }
        let place = ways.first ?? places.first { $0.sources.contains(.paired) } ?? places.first
        guard let endpoint = place?.endpoint ?? pairing?.pairing.endpoints.first else { return "clawradar scan" }
        return PlaceFacts(endpoint, sources: [], answer: .unreachable).pair()
    }

    /// The places at which the gateway answers.
    package var ways: [PlaceFacts] { places.filter(\.isAlive) }
}
