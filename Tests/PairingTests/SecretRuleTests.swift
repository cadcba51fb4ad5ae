import DNSSD
import GatewayProtocol
import Testing

@testable import Pairing

/// Who may have which secret at pairing.
@Suite struct SecretRuleTests {
    /// A secret is held back from an unproved gateway that nobody has seen, whatever else the user has agreed to; a token
    /// or password, from the eyes of everybody without the consent to that. A setup code is decided about by its content.
    @Test func secretsNeedAProofOrEyesAndTLSOrConsent() {
        for kind in SecretQuestion.Kind.allCases where kind != .setupCode {
            for proof in PairingProof.allCases {
                for form in PairingConsent.Form.allCases {
                    for (isPlain, sendsInClear) in [(false, false), (false, true), (true, false), (true, true)] {
                        let rule = SecretRule(proof: proof, form: form, isPlain: isPlain)
                        let expected: SecretDecision =
                            if form == .inAdvance && proof == .unproved {
                                .unproved
                            } else if kind == .pairingToken {
                                .allowed
                            } else {
                                isPlain && !sendsInClear ? .inClear : .allowed
                            }
                        #expect(rule.decision(for: kind, sendsInClear: sendsInClear) == expected)
                    }
                }
            }
        }
    }

    /// Without TLS, the address that the user gave is all that there is, and enough for a one-time token; behind TLS, it
    /// is not, since digits can be given.
    @Test func aOneTimeTokenGoesToAGivenAddressWithoutTLS() {
        for (isPlain, expected) in [(true, SecretDecision.allowed), (false, .unproved)] {
            let rule = SecretRule(proof: .unproved, form: .inAdvance, isPlain: isPlain, isAtGivenAddress: true)
            #expect(rule.decision(for: .pairingToken, sendsInClear: false) == expected)
            #expect(rule.decision(for: .sharedToken, sendsInClear: true) == .unproved)
        }
    }

    /// A setup code proves the gateway by the certificate in it, and without TLS by nothing but its addresses.
    @Test(arguments: [
        (#""url":"wss://10.0.0.5:3000""#, false, SecretDecision.unproved),
        (#""url":"wss://studio.example:3000""#, false, .unproved),
        (#""url":"wss://10.0.0.5:3000","tlsFingerprint":"LEAF""#, false, .allowed),
        (#""url":"ws://10.0.0.5:3000""#, true, .allowed),
        (#""url":"ws://studio.local:3000""#, true, .unproved),
        (#""url":"ws://10.0.0.5:3000","urls":["ws://studio.local:3000"]"#, true, .unproved),
    ])
    func aSetupCodeIsAsGoodAsItsPlace(fields: String, isPlain: Bool, expected: SecretDecision) throws {
        let leaf = try PairingSamples.leaf(7)
        let json = "{\(fields.replacing("LEAF", with: "\(leaf)")),\"bootstrapToken\":\"t\"}"
        let code = try SetupCode(parsing: Secret(Base64.url.encode(Array(json.utf8))))
        for proof in PairingProof.allCases {
            for form in PairingConsent.Form.allCases {
                let rule = SecretRule(proof: proof, form: form, isPlain: isPlain)
                let isHeldBack = form == .inAdvance && proof == .unproved
                #expect(rule.decision(for: code) == (isHeldBack ? expected : .allowed))
            }
        }
    }

    /// Only a person's word for a certificate is a proof, and a certificate that a scan has found is none.
    @Test func aCertificateThatAScanFoundProvesNothing() throws {
        let leaf = try PairingSamples.leaf(7)
        let offer = try PairingSamples.offer(leaf: leaf)
        var target = PairingTarget(place: .endpoints([PairingSamples.endpoint]), leaf: leaf)
        #expect(offer.proof(for: target) == .unproved)
        target.demand(leaf)
        #expect(offer.proof(for: target) == .leafGiven)
        let link = try PairingLink(parsing: "optaplus://pair?host=10.0.0.5&fp=\(leaf)")
        #expect(offer.proof(for: PairingTarget(link)) == .pinInLink)
        let label = try PairingLink(parsing: "optaplus://pair?host=10.0.0.5&fp=abc123")
        #expect(offer.proof(for: PairingTarget(label)) == .unproved)
    }

    /// The URL of a setup code is the place of the gateway: host or address, port, path, and TLS or none.
    @Test(arguments: [
        ("wss://10.0.0.5:3000", true), ("wss://[::ffff:10.0.0.5]:3000/", true), ("wss://studio.local:3000", true),
        ("ws://10.0.0.5:3000", false), ("wss://10.0.0.5", false), ("wss://10.0.0.6:3000", false),
        ("wss://other.local:3000", false), ("wss://10.0.0.5:3000/gw", false),
    ])
    func aCodeIsForItsPlace(url: String, isSame: Bool) throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7))
        let parsed = try #require(GatewayURL(url))
        let addresses = parsed.host == "studio.local" ? [PairingSamples.endpoint.address] : []
        #expect(parsed.names(offer, or: [], addresses: addresses) == isSame)
    }

    /// One that is asked by a host name is at no other name, whichever addresses of it a scan has found without one.
    @Test(arguments: [("wss://kitchen.example:3000", true), ("wss://bath.example:3000", false)])
    func aCodeIsForItsName(url: String, isSame: Bool) throws {
        let leaf = try PairingSamples.leaf(7)
        let offer = try PairingSamples.offer(leaf: leaf, at: PairingSamples.endpoint(named: "kitchen.example"))
        let parsed = try #require(GatewayURL(url))
        let places = [PairingSamples.endpoint]
        #expect(parsed.names(offer, or: places, addresses: places.map(\.address)) == isSame)
    }

    /// An address that has shown the same certificate is the same place; without TLS only the very address is.
    @Test func aCodeForAnotherAddressOfTheGateway() throws {
        let url = try #require(GatewayURL("wss://10.0.0.9:4000"))
        let other = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0009)), port: 4_000)
        #expect(url.names(try PairingSamples.offer(leaf: PairingSamples.leaf(7)), or: [other], addresses: []))
        let plain = try #require(GatewayURL("ws://10.0.0.9:4000"))
        #expect(!plain.names(try PairingSamples.offer(), or: [other], addresses: []))
    }
}
