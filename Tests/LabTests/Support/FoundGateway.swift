/// A gateway in the tool's JSON, as the README documents it.
struct FoundGateway: Decodable {
    let id: String
    let fingerprint: String?
    let name: String
    let dialect: String?
    let liveness: String?
    let latencyMs: Double?
    let bots: [Bot]
    let paths: [Path]
    let services: [Instance]
    let flags: [String]
    let problems: [String]

    struct Bot: Decodable {
        let id: String
        let name: String
        let emoji: String?
    }

    struct Path: Decodable {
        let address: String
        let port: Int
        let endpoint: String
        let liveness: String?
    }

    struct Instance: Decodable {
        let instance: String
        let type: String
    }
}
