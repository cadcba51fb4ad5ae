internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import PairingStore

/// The questions about gateways that await trust: they are asked who they are, shown, and trusted if the user says so.
struct AwaitedTrust: Sendable {
    /// A gateway that awaits trust, with what answered there.
    struct Looked: Sendable {
        let pairing: StoredPairing
        let found: Result<PairingOffer, PairingError>

        var offer: PairingOffer? { try? found.get() }
    }

    /// The number of gateways that are asked at a time.
    private static let atOnce = 8

    let coordinator: PairingCoordinator

    /// Asks gateways who they are, with a line of progress. Nothing secret is sent.
    func look(at pairings: [StoredPairing]) async -> [Looked] {
        let progress = ProgressLine()
        defer { progress?.clear() }
        let coordinator = coordinator
        return await withTaskGroup(of: (Int, Looked).self) { group in
            var looked: [(Int, Looked)] = []
            func take() async {
                guard let next = await group.next() else { return }
                looked.append(next)
                progress?.show("\(looked.count) of \(pairings.count) gateways asked who they are …")
            }
            for (index, pairing) in pairings.enumerated() {
                if index >= Self.atOnce { await take() }
                group.addTask {
                    do throws(PairingError) {
                        return (
                            index, Looked(pairing: pairing, found: .success(try await coordinator.look(at: pairing)))
                        )
                    } catch {
                        return (index, Looked(pairing: pairing, found: .failure(error)))
                    }
                }
            }
            while looked.count < pairings.count { await take() }
            return looked.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Shows one gateway and asks for trust in it.
    ///
    /// - Returns: Whether it is trusted now.
    func confirm(_ offer: PairingOffer, for pairing: StoredPairing) async throws(CommandFailure) -> Bool {
        Notes.write("\(pairing.label):\n")
        Notes.write(PairingText.lines(offer, width: Notes.columns).map { $0 + "\n" }.joined())
        guard try await TerminalDialogue.confirm("Send its tokens there from now on\(Self.extent(offer))?") else {
            return false
        }
        return try await accept(offer, for: pairing)
    }

    /// Trusts a gateway that the user has seen; without TLS, at its present address.
    func accept(
        _ offer: PairingOffer,
        for pairing: StoredPairing,
        plainTrust: PairingConsent.PlainTrust = .address
    ) async throws(CommandFailure) -> Bool {
        do throws(PairingError) {
            try await coordinator.accept(offer, for: pairing, plainTrust: offer.isPlain ? plainTrust : nil)
            return true
        } catch {
            throw CommandFailure(error, offer)
        }
    }

    /// Returns the line about one gateway in a list: its place, who it says it is, and how it would be trusted.
    static func line(_ looked: Looked) -> String {
        let label = looked.pairing.label
        switch looked.found {
        case .failure(let error): return "\(label): \(error.message)"
        case .success(let offer):
            let trust =
                if let host = offer.certifiedHost {
                    "certified for \(DisplayText(host, limit: 128))"
                } else if let leaf = offer.leaf {
                    "TLS, sha256 \(leaf)"
                } else {
                    "no TLS: whoever has this address gets the tokens, and whoever is on the way reads them"
                }
            let bots = offer.bots.prefix(8).map { DisplayText($0.name, limit: 32).text }.joined(separator: ", ")
            let name = PromptLines.quoted(offer.name, in: nil)
            return "\(label): \(offer.endpoint), says it is \(name)\(bots.isEmpty ? "" : " with \(bots)"); \(trust)"
        }
    }

    private static func extent(_ offer: PairingOffer) -> String {
        offer.isPlain ? ", in clear, to whoever has this address in this network" : ""
    }
}
