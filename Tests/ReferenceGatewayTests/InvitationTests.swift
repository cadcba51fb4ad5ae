import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// The link that a gateway shows its operator, with a code that pairs.
@Suite struct InvitationTests {
    private let link = GatewayLink(host: "fe80::1", port: 3_000, fingerprint: "ab")

    @Test func theLinkNamesPlaceProofAndCode() {
        #expect(link.text(code: nil) == "optaplus://pair?host=fe80%3A%3A1&port=3000&fp=ab")
        #expect(link.text(code: Secret("X7")) == "optaplus://pair?host=fe80%3A%3A1&port=3000&fp=ab&token=X7")
    }

    /// Whoever reads the page has a code that can still be used, and the one in the terminal stays valid meanwhile. The device
    /// that has used one may use it again for a while, as its answer may have been lost.
    @Test func theCodeIsRenewedInTime() throws {
        var state = try GatewayState.example
        var random = SystemRandomNumberGenerator()
        #expect(state.invitation(at: .start, using: &random) == nil)
        state.link = link
        let open = state.invitation(at: .start, using: &random)
        #expect(open == Invitation(link: link.text(code: nil), rest: nil, user: nil) && state.pairingCode == nil)
        state.demandsPairingCode = true
        let first = try #require(state.invitation(at: .start, using: &random))
        #expect(first.link == link.text(code: state.pairingCode?.secret) && first.rest == PairingCode.life)
        let later = state.invitation(at: .start.later(240_000), using: &random)
        #expect(later?.link == first.link && later?.rest == 60_000)
        let next = try #require(state.invitation(at: .start.later(240_001), using: &random))
        #expect(next.link != first.link && next.rest == PairingCode.life)
        let use = GatewayTime.start.later(250_000)
        state.pairingCode?.spend(by: "d", at: use)
        let used = state.invitation(at: use.later(PairingCode.repetition), using: &random)
        #expect(used?.link == next.link && used?.user == "d")
        let renewed = state.invitation(at: use.later(PairingCode.repetition + 1), using: &random)
        #expect(renewed?.link != next.link && renewed?.user == nil)
    }

    /// A page of the web may have its own name lead here, and a proxy on this host asks for others.
    @Test(
        arguments: [
            (["127.0.0.1:3000"], [], true), (["localhost"], ["Accept"], true), (["[::1]:3000"], [], true),
            (["LOCALHOST:3000"], [], true), ([], [], false), (["evil.example:3000"], [], false),
            (["127.0.0.1.evil.example"], [], false), (["localhost", "localhost"], [], false),
            (["127.0.0.1:3000"], ["X-Forwarded-For"], false), (["127.0.0.1:3000"], ["via"], false),
        ] as [([String], [String], Bool)]
    )
    func itIsForBrowsersOfThisHost(hosts: [String], fields: [String], isAnswered: Bool) {
        #expect(InvitationPage.isAsked(at: hosts, with: fields) == isAnswered)
    }

    /// Devices name themselves, and so does whoever runs the gateway: a name is never markup, and a code that was used is not
    /// shown.
    @Test func theNamesAreTextAndAUsedCodeIsGone() {
        func page(_ user: String?) -> PageHandler.Page {
            let invitation = Invitation(link: "optaplus://pair?host=h&token=X7", rest: 61_000, user: user)
            return InvitationPage.page(invitation, of: "<b>Home</b> & more") { _ in "<svg/>" }
        }
        let text = String(decoding: page(nil).body, as: UTF8.self)
        #expect(text.contains("&lt;b&gt;Home&lt;/b&gt; &amp; more") && !text.contains("<b>"))
        #expect(text.contains("host=h&amp;token=X7") && text.contains("within 61 seconds"))
        #expect(text.contains("data:image/svg+xml,%3Csvg%2F%3E"))
        #expect(page(nil).fields["Cache-Control"] == "no-store")
        let used = String(decoding: page("<script>").body, as: UTF8.self)
        #expect(used.contains("&lt;script&gt;") && !used.contains("X7") && !used.contains("svg"))
    }
}
