import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// The gateway of the design's own protocol (`_openclaw._tcp`), by the design's documents.
@Suite struct OptaplusMustsTests {
    /// The rules of the frames, of pairing, and of sessions.
    @Test(arguments: Self.musts) func theDesignIsFollowed(must: Must) throws { try must.expect(of: .optaplus) }

    private static func request(_ method: String, _ params: String? = nil) -> String {
        let params = params.map { #","params":\#($0)"# } ?? ""
        return #"{"type":"req","id":"5","method":"\#(method)"\#(params)}"#
    }

    private static func pair(_ bots: String, device: String = "d", _ rest: String = "") -> String {
        request(
            "device.pair",
            #"{"deviceId":"\#(device)","deviceName":"Pi","platform":"linux","requestedBots":\#(bots)\#(rest)}"#
        )
    }

    private static func connect(_ token: String, protocols: (Int, Int) = (3, 3)) -> String {
        let range = #""minProtocol":\#(protocols.0),"maxProtocol":\#(protocols.1)"#
        return request("connect", #"{\#(range),"auth":{"token":"\#(token)"}}"#)
    }

    private static func tokens(_ reply: RawGateway.Reply) -> [String] {
        (reply.first?["payload"]?["pairings"]?.array ?? []).compactMap { $0["token"]?.string }
    }

    private static let musts: [Must] = [
        Must("Frames", "an answer has the identifier of its request, whether it succeeds or fails") {
            let (good, bad) = (try $0.say(request("gateway.discover")), try $0.say(request("x")))
            return good.first?["id"] == "5" && good.first?["ok"] == true && bad.first?["id"] == "5"
                && bad.first?["ok"] == false && bad.code != nil && bad.close == nil
        },
        Must("gateway.discover", "everybody may ask, with parameters or without; every field is there, and no token") {
            try $0.say(pair(#""*""#), on: 2)
            for params in [nil, "{}"] {
                let payload = try $0.say(request("gateway.discover", params)).first?["payload"]
                let bot = payload?["bots"]?.array?.first
                guard payload?["gatewayFingerprint"]?.string != nil, payload?["gatewayName"]?.string != nil,
                    payload?["pairingRequired"] == true,
                    ["botId", "name", "emoji", "status"].allSatisfy({ bot?[$0]?.string != nil })
                else { return false }
                let text = String(decoding: try #require(payload).encoded, as: UTF8.self)
                guard $0.state.pairings.count == 2, !$0.state.pairings.contains(where: { text.contains($0.token) })
                else { return false }
            }
            return true
        },
        Must("device.pair", "bots are all, by a word or a list of it, or those that are named; each has its token") {
            for (bots, count) in [(#""*""#, 2), (#"["*"]"#, 2), (#"["bot-2"]"#, 1)] {
                let tokens = tokens(try $0.say(pair(bots)))
                guard tokens.count == count, Set(tokens).count == count else { return false }
            }
            return true
        },
        Must("device.pair", "a device says who it is, and what it wants") {
            for params in [
                "null", "{}", #"{"deviceId":"d","requestedBots":"*"}"#, #"{"deviceName":"n","requestedBots":"*"}"#,
                #"{"deviceId":"d","deviceName":"n"}"#, #"{"deviceId":"d","deviceName":"n","requestedBots":7}"#,
            ] {
                guard try $0.say(request("device.pair", params)).first?["ok"] == false else { return false }
            }
            return try $0.state.pairings.isEmpty && $0.say(pair(#"["bot-9"]"#)).first?["ok"] == false
        },
        Must("device.pair with a code", "it is demanded, spent by the answer, and repeated by the same device for 60 s")
        {
            $0.state.demandsPairingCode = true
            let made = try $0.operate("code").first?["payload"]?["code"]?.string
            let code = #","pairingToken":"\#(try #require(made))""#
            guard try $0.say(pair(#""*""#)).code == "PAIRING_TOKEN_REQUIRED",
                try $0.say(pair(#""*""#, #","pairingToken":"x""#)).code == "PAIRING_TOKEN_INVALID",
                try $0.say(pair(#""*""#, code)).first?["ok"] == true,
                try $0.say(pair(#""*""#, device: "e", code)).code == "PAIRING_TOKEN_INVALID"
            else { return false }
            $0.time = $0.time.later(59_000)
            guard try $0.say(pair(#""*""#, code)).first?["ok"] == true else { return false }
            $0.time = $0.time.later(2_000)
            return try $0.say(pair(#""*""#, code)).code == "PAIRING_TOKEN_INVALID"
        },
        Must("device.pair with a code", "it lives for five minutes") {
            $0.state.demandsPairingCode = true
            let made = try $0.operate("code").first?["payload"]?["code"]?.string
            $0.time = $0.time.later(301_000)
            return try $0.say(pair(#""*""#, #","pairingToken":"\#(try #require(made))""#)).code
                == "PAIRING_TOKEN_INVALID"
        },
        Must("connect", "a token opens a session of protocol 3") {
            let token = try #require(tokens(try $0.say(pair(#"["bot-1"]"#), on: 2)).first)
            let other = try $0.say(connect(token, protocols: (4, 5)))
            guard other.close == 1_002, other.first?["error"]?["details"]?["expectedProtocol"]?.int == 3 else {
                return false
            }
            return try $0.say(connect(token), on: 3).first?["payload"]?["type"] == "hello-ok"
        },
        Must("connect", "without a token that it knows, a device is not paired, and the connection ends") {
            for (connection, text) in [connect("x"), connect(""), request("connect"), request("connect", "{}")]
                .enumerated()
            {
                let reply = try $0.say(text, on: connection)
                guard reply.code == "NOT_PAIRED", reply.close != nil else { return false }
            }
            return true
        },
        Must("device.unpair", "a token that was given up opens nothing, and its session ends after the answer") {
            let token = try #require(tokens(try $0.say(pair(#"["bot-1"]"#), on: 2)).first)
            let reply = try $0.say(request("device.unpair", #"{"deviceId":"d","botIds":["bot-1"]}"#), on: 2)
            return try reply.first?["ok"] == true && reply.actions.last == .revoke([token])
                && $0.say(connect(token), on: 3).code == "NOT_PAIRED"
        },
        Must("device.pair", "pairing anew ends the token of the same bot") {
            let old = try #require(tokens(try $0.say(pair(#"["bot-1"]"#), on: 2)).first)
            try $0.say(pair(#"["bot-1"]"#), on: 2)
            return try $0.say(connect(old), on: 3).code == "NOT_PAIRED"
        },
    ]
}
