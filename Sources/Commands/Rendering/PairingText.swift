internal import DNSSD
internal import GatewayProtocol
internal import GatewayReports
internal import Pairing
internal import PairingStore

/// The steps of pairing in words; every text in them is cleaned.
enum PairingText {
    /// The maximum number of bots that are named.
    private static let shownBots = 16

    /// Returns the line for a step; `nil` for a step that is shown in another way.
    static func line(_ state: PairingState) -> String? {
        switch state {
        case .resolving: "looking up where it is"
        case .asking: "asking it what it is"
        case .confirming, .secretNeeded: nil
        case .pairing(let offer): "asking “\(DisplayText(offer.name, limit: 64))” to pair"
        case .approvalNeeded(let approval): line(approval)
        case .notReady(let delay): delay.refusal.descriptionWhileRetried
        case .storing: "storing it"
        case .withdrawing(let bots): "withdrawing what it granted unasked: \(names(bots))"
        case .paired: "paired"
        case .failed, .cancelled: nil
        }
    }

    private static func line(_ approval: PairingApproval) -> String {
        let advice = approval.command.map { "on the gateway run: \($0)" } ?? approval.refusal.description
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
            return "asking again in \(seconds(until: approval.nextRequest)) s; Enter asks now"
        case .notReady(let delay):
            return "asking again in \(seconds(until: delay.nextRequest)) s"
        default:
            return nil
        }
    }

    /// Returns the lines that show a gateway to the user before any secret is sent to it.
    static func lines(_ offer: PairingOffer) -> [String] {
        var rows = [
            ("name", DisplayText(offer.name, limit: 64).text), ("address", "\(offer.endpoint)"),
            ("speaks", offer.dialect.rawValue),
        ]
        if let fingerprint = offer.fingerprint {
            rows.append(("fingerprint", DisplayText("\(fingerprint)", limit: 128).text))
        }
        rows.append(("bots", bots(offer)))
        rows.append(("trust", trust(offer)))
        if let url = offer.remoteURL { rows.append(("", outside(url))) }
        if let pairing = offer.pairing { rows.append(("already", "paired as \(pairing.label); bots are added to it")) }
        return rows.map { title, text in "  \(title)\(String(repeating: " ", count: 13 - title.count))\(text)" }
    }

    /// Returns the address outside of this network to which tokens will be sent, too, and how it is recognised.
    private static func outside(_ url: GatewayURL) -> String {
        // Not cut, because the end of a host name shows whose it is.
        let proof = url.address == nil ? "its host name" : "this gateway's certificate"
        return "outside this network: \(DisplayText("\(url)", limit: GatewayURL.maximumLength)), known by \(proof)"
    }

    /// Returns who gets the tokens of a gateway without TLS that is trusted in this way.
    static func receiver(_ trust: PairingConsent.PlainTrust, of offer: PairingOffer) -> String {
        switch trust {
        case .address: "whoever has this address in this network (--trust address)"
        case .lan where offer.fingerprint != nil:
            "whoever answers under this fingerprint, anywhere in this network (--trust lan)"
        case .lan: "whoever answers like it, anywhere in this network (--trust lan)"
        }
    }

    /// Returns the sentence about what allows a secret to be sent that is not offered; `nil` if it is.
    static func allowance(_ decision: SecretDecision, for kind: SecretQuestion.Kind) -> String? {
        switch decision {
        case .allowed: nil
        case .inClear: "without TLS, everybody on the way could read \(kind.text): only --send-in-clear allows it."
        case .unproved:
            "with --yes, \(kind.text) goes only to a gateway that is proved: --leaf with the digits of its certificate."
        }
    }

    private static func bots(_ offer: PairingOffer) -> String {
        offer.bots.isEmpty ? "told once it is paired" : names(offer.bots)
    }

    private static func names(_ bots: [BotDescription]) -> String {
        let named = bots.prefix(shownBots).map { bot in
            let emoji = bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? ""
            return "\(emoji)\(DisplayText(bot.name, limit: 64))"
        }
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
            } else if let host = offer.hostName {
                ", which no authority vouches for as \(DisplayText(host, limit: 128)); compare it with what its host shows"
            } else {
                "; compare it with what its host shows"
            }
        return "TLS, pinned to the certificate sha256 \(leaf)\(proof)"
    }
}
