internal import Pairing

/// The texts whose codes pass between a page and its agent; `api.js` has the same.
enum PageProof {
    /// Returns the token of a session for a run of the agent.
    static func token(key: [UInt8], run: String) -> String {
        MessageCode.digits(of: "clawradar page token\n\(run)", key: key)
    }

    /// Returns the proof that an agent has the key of a session. The port is a part of it: whoever has taken the former port
    /// could hand the question on to the agent, which has another one then.
    static func proof(key: [UInt8], nonce: String, run: String, port: UInt16) -> String {
        MessageCode.digits(of: "clawradar page proof\n\(nonce)\n\(run)\n\(port)", key: key)
    }
}
