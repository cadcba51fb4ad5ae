internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

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

    /// Asks one gateway who it is, until the time is up or the user ends the command. Nothing secret is sent.
    ///
    /// - Parameters:
    ///   - pairing: Its pairing.
    ///   - leaf: The certificate whose digits the user gave.
    ///   - limit: The time to wait for it.
    func look(
        at pairing: StoredPairing,
        leaf: LeafFingerprint?,
        within limit: TimeLimit
    ) async throws(CommandFailure) -> PairingOffer {
        let coordinator = coordinator
        let deadline = ContinuousClock.now + limit.duration
        let failed = "\(pairing.label) is not trusted"
        let cancelled = CommandFailure(.cancelled, "cancelled; nothing was changed.")
        let result = await withTaskGroup(of: Result<PairingOffer, CommandFailure>.self) { group in
            group.addTask {
                do throws(PairingError) {
                    return .success(try await coordinator.look(at: pairing, leaf: leaf))
                } catch {
                    return .failure(CommandFailure(.nothingFound, "\(failed): \(error.message)."))
                }
            }
            group.addTask {
                await Signals.waitForEnd()
                return .failure(cancelled)
            }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                let message = "\(failed): it did not say who it is within \(limit). Give it more time with --timeout."
                return .failure(CommandFailure(.nothingFound, message))
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        guard let result else { throw cancelled }
        return try result.get()
    }

    /// Shows one gateway and asks for trust in it.
    ///
    /// - Parameters:
    ///   - offer: The gateway.
    ///   - pairing: Its pairing.
    ///   - plainTrust: The trust that is asked for, where it has no TLS.
    /// - Returns: `true` if the user trusts it.
    static func confirm(
        _ offer: PairingOffer,
        for pairing: StoredPairing,
        plainTrust: PlainTrust = .address
    ) async throws(CommandFailure) -> Bool {
        Notes.write("\(pairing.label):\n")
        Notes.write(PairingText.lines(offer, width: Notes.columns).map { $0 + "\n" }.joined())
        return try await TerminalDialogue.confirm("Send its tokens there from now on\(extent(offer, plainTrust))?")
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
                } else if let way = offer.plainChoices.first, way != .address {
                    "no TLS, through a tunnel: clawradar trust \(looked.pairing.shortID) --trust \(way.rawValue)"
                } else {
                    "no TLS: whoever has this address gets the tokens, and whoever is on the way reads them"
                }
            let bots = offer.bots.prefix(8).map { DisplayText($0.name, limit: 32).text }.joined(separator: ", ")
            let name = PromptLines.quoted(offer.name, in: nil)
            return "\(label): \(offer.endpoint), says it is \(name)\(bots.isEmpty ? "" : " with \(bots)"); \(trust)"
        }
    }

    /// Returns the part of the question that says who gets the tokens of a gateway without TLS; empty for one with TLS.
    static func extent(_ offer: PairingOffer, _ plainTrust: PlainTrust) -> String {
        guard offer.isPlain else { return "" }
        return switch plainTrust {
        case .address: ", in clear, to whoever has this address in this network"
        case .lan: ", in clear, to whoever answers in this network"
        case .tailnet: ", without TLS, to the machine that has this address in the tailnet"
        case .tunnel: ", in clear, to whoever has this address at the other end of the tunnel"
        }
    }
}
