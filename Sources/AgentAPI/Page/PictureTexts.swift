internal import GatewayProtocol
internal import HTTPTypes
internal import HostSystem
internal import QRCodes
internal import Reports

/// The texts of the QR codes in a picture that a page has taken.
struct PictureTexts: JSONReport {
    /// The threads that wait for readers: what they read is large.
    private static let readers = BlockingCalls(most: 2)

    private let texts: [String]

    /// Reads a picture, which is a greymap in bytes (pgm(5)).
    init(_ body: [UInt8]) async throws(APIProblem) {
        guard body.starts(with: "P5".utf8) else {
            throw APIProblem(.badRequest, "expected a picture as P5 of pgm(5), found something else")
        }
        let reading = PictureReading(body)
        let result = await withCheckedContinuation { continuation in
            Self.readers.run {
                continuation.resume(returning: Result { () throws(PictureReading.Problem) in try reading.texts() })
            }
        }
        do throws(PictureReading.Problem) {
            texts = try result.get()
        } catch {
            throw error.isOfPicture
                ? APIProblem(.badRequest, error.description)
                : APIProblem(.serviceUnavailable, error.description, headers: [.retryAfter: "60"])
        }
    }

    var fields: [String: JSONValue] { ["texts": JSONValue(texts)] }
}
