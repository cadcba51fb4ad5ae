import GatewayProtocol
import Testing

@testable import ReferenceGateway

extension GatewayState {
    /// The state of a gateway with the values of the OptaPlus samples.
    static var example: GatewayState {
        get throws {
            let fields: [(String, String, String)] = [("bot-1", "Jarvis", "🤖"), ("bot-2", "Friday", "🦞")]
            return GatewayState(
                fingerprint: try #require(GatewayFingerprint("abc123")),
                name: "Home Gateway",
                bots: try fields.map { id, name, emoji in
                    BotDescription(id: try #require(BotID(id)), name: name, emoji: emoji, status: "online")
                }
            )
        }
    }
}

extension GatewayTime {
    /// The time at which tests begin.
    static var start: GatewayTime { GatewayTime(date: 1_737_264_000_000, uptime: 1_000_000) }

    /// Returns the time that is this number of milliseconds later, by both clocks.
    func later(_ milliseconds: Int) -> GatewayTime {
        GatewayTime(date: date + milliseconds, uptime: uptime + milliseconds)
    }
}
