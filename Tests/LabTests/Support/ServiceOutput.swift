/// A service in the tool's JSON, as the README documents it.
struct ServiceOutput: Decodable {
    let instance: String
    let type: String
    let domain: String
    let host: String?
    let port: Int?
    let addresses: [String]
    let paths: [Path]
    let txt: [String: String?]?
    let gateway: Gateway
    let isOurs: Bool

    struct Path: Decodable {
        let interface: String
        let family: String
        let address: String?
        let port: Int?
        let source: String
    }

    struct Gateway: Decodable {
        let fingerprint: String?
        let name: String?
        let bots: Int?
        let version: Int?
        let problems: [String]
    }
}
