internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The steps of pairing in words; every text in them is cleaned.
enum PairingText {
    /// The maximum number of bots that are named in a line.
    private static let shownBots = 16

    /// Returns the line for a step; `nil` for a step that is shown in another way.
    static func line(_ state: PairingState) -> String? {
        switch state {
        case .resolving: "looking up where it is"
        case .asking: "asking it what it is"
        case .confirming, .secretNeeded: nil
        case .pairing(let offer): "asking \(DisplayText(offer.name, limit: 64).quoted) to pair"
        case .approvalNeeded(let approval): line(approval)
        case .notReady(let error, _): error.message
        case .storing: "storing it"
        case .withdrawing(let bots): "withdrawing what it granted unasked: \(names(bots))"
        case .paired: "paired"
        case .failed, .cancelled: nil
        }
    }

    private static func line(_ approval: PairingApproval) -> String {
        let advice = approval.command.map { "on the gateway run: \($0)" } ?? approval.message
        // The reference gateway is found by the place of its state, or its port.
        let place =
            approval.refusal.operatorTool == .clawradar && approval.command != nil
            ? " (with its --state, else its --port)" : ""
        let renewal = approval.isRenewed ? "the request has expired, and a new one was made; " : ""
        let trouble = approval.trouble.map { "; the last question failed: \($0)" } ?? ""
        return "\(renewal)waiting for approval: \(advice)\(place)\(trouble)"
    }

    /// Returns the text that counts down to the next request; `nil` for a step that does not wait.
    ///
    /// - Parameters:
    ///   - state: The step.
    ///   - time: The time in milliseconds since 1970.
    static func countdown(_ state: PairingState, at time: Int) -> String? {
        func seconds(until next: Int) -> Int { max((next - time + 999) / 1_000, 0) }
        switch state {
        case .approvalNeeded(let approval):
            return approval.nextRequest.map { "asking again in \(seconds(until: $0)) s; Enter asks now" }
        case .notReady(_, let next):
            return "asking again in \(seconds(until: next)) s"
        default:
            return nil
        }
    }

    /// Returns the lines that show a gateway to the user before any secret is sent to it. The last one is the trust in it,
    /// which is not its word.
    ///
    /// - Parameters:
    ///   - offer: The gateway.
    ///   - advertised: The certificates that its advertisements name; `nil` if it is not advertised.
    ///   - rights: The rights that this device asks for there.
    ///   - width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func lines(
        _ offer: PairingOffer,
        advertised: Set<String>? = nil,
        rights: DeviceRights = .member,
        width: Int? = nil
    ) -> [String] {
        let prompt = PromptLines(width: width)
        var lines = prompt.own("address", "\(offer.endpoint)") + prompt.own("speaks", offer.dialect.rawValue)
        lines.append("  in its own words:")
        lines.append(prompt.theirs("name", offer.name))
        if let fingerprint = offer.fingerprint { lines.append(prompt.theirs("fingerprint", "\(fingerprint)")) }
        lines +=
            offer.bots.isEmpty
            ? prompt.own("bots", "told once it is paired")
            : prompt.theirs(offer.bots.count == 1 ? "bot" : "\(offer.bots.count) bots", offer.bots.map(bot))
        if let pairing = offer.pairing {
            lines += prompt.own("already", "paired, as \(pairing.shortID); bots are added to it")
        }
        if let url = offer.remoteURL { lines += prompt.own("outside", outside(url)) }
        switch rights {
        case .member: break
        case .admin:
            lines += prompt.own(
                "as admin",
                "this device can then approve and reject other devices there, and do EVERYTHING else that its operator can: "
                    + "the gateway has no rights for approvals alone"
            )
        case .owner: lines += prompt.own("as owner", "this device can then do EVERYTHING there, as its operator can")
        }
        lines += comparison(offer, advertised, prompt)
        return lines + prompt.own("trust", trust(offer))
    }

    private static func bot(_ bot: BotDescription) -> String {
        (bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? "") + DisplayText(bot.name, limit: 64).text
    }

    /// Returns the lines that say where the digits of a certificate can be compared, if nothing proves it.
    private static func comparison(_ offer: PairingOffer, _ advertised: Set<String>?, _ prompt: PromptLines) -> [String]
    {
        guard let leaf = offer.leaf, offer.certifiedHost == nil, offer.pairing == nil, !offer.isProved,
            offer.proof == .unproved
        else { return [] }
        var lines: [String] = []
        if let advertised {
            let text =
                if advertised.isEmpty {
                    "names no certificate"
                } else if advertised == ["\(leaf)"] {
                    "names the same certificate, which anybody could advertise"
                } else {
                    "names ANOTHER certificate than the one that is shown"
                }
            lines += prompt.own("its record", text)
        }
        switch offer.dialect {
        case .openClaw:
            // In one piece and on a line of its own, so that it can be copied.
            lines += prompt.own("compare", "the digits below with those that its host prints with")
            return lines + ["  \(certificateCommand)"]
        case .optaplus, .bridge, .openAgents, .clawline:
            return lines
                + prompt.own("compare", "the digits below with those on its host; `reference-gateway` prints its own")
        }
    }

    /// The command that prints the digits of the certificate of an OpenClaw gateway on its host, where its configuration
    /// has no other path.
    static let certificateCommand =
        "openssl x509 -noout -fingerprint -sha256 -in ~/.openclaw/gateway/tls/gateway-cert.pem"

    /// Returns the address outside of this network to which tokens will be sent, too, and how it is recognised.
    private static func outside(_ url: GatewayURL) -> String {
        // Not cut, because the end of a host name shows whose it is.
        let proof = url.address == nil ? "its host name" : "this gateway's certificate"
        return "outside this network: \(DisplayText("\(url)", limit: GatewayURL.maximumLength)), known by \(proof)"
    }

    /// Returns who gets the tokens of a gateway without TLS that is trusted in this way.
    static func receiver(_ trust: PlainTrust, of offer: PairingOffer) -> String {
        switch trust {
        case .address: "whoever has this address in this network (--trust address)"
        case .lan where offer.fingerprint != nil:
            "whoever answers under this fingerprint, anywhere in this network (--trust lan)"
        case .lan: "whoever answers like it, anywhere in this network (--trust lan)"
        case .tailnet: "the machine that has this address in the tailnet, by its key (--trust tailnet)"
        case .tunnel:
            "whoever has this address at the other end of the tunnel "
                + "\(DisplayText(offer.network?.tunnel?.name ?? "", limit: 16)), for whom you answer (--trust tunnel)"
        }
    }

    /// Returns the sentence about what allows a secret to be sent that is not offered; `nil` if it is.
    static func allowance(_ decision: SecretDecision, for kind: SecretQuestion.Kind) -> String? {
        switch decision {
        case .allowed: nil
        case .inClear: "without TLS, everybody on the way could read \(kind.text): only --send-in-clear allows it."
        case .unproved:
            "with --yes, \(kind.text) goes only to a gateway that is proved: --certificate with the digits of its certificate."
        }
    }

    private static func names(_ bots: [BotDescription]) -> String {
        let named = bots.prefix(shownBots).map(bot)
        let rest = bots.count > shownBots ? " and \(bots.count - shownBots) more" : ""
        return named.joined(separator: ", ") + rest
    }

    /// Returns the way in which the gateway would be trusted.
    private static func trust(_ offer: PairingOffer) -> String {
        if let pairing = offer.pairing { return TrustText.sentence(pairing.trust) }
        if let host = offer.certifiedHost {
            return "TLS with a certificate for \(DisplayText(host, limit: 128)) that the system trusts"
        }
        guard let leaf = offer.leaf else {
            return "no TLS: it proves nothing, and whoever is on the way can read tokens"
        }
        let proof =
            if offer.isProved {
                ", which its fingerprint names"
            } else if offer.proof == .pinInLink {
                ", which the link or code names"
            } else if offer.proof == .leafGiven {
                ", whose digits you gave"
            } else if let host = offer.hostName {
                ", which no authority vouches for as \(DisplayText(host, limit: 128)), and nothing else proves"
            } else {
                ", which nothing proves"
            }
        return "TLS, pinned to the certificate sha256 \(leaf)\(proof)"
    }
}
