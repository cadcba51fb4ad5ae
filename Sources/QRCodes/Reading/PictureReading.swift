internal import DNSSD
internal import GatewayProtocol
internal import HostSystem

/// A reading of the QR codes in a picture by another process of this program, whose verb is `read-picture`: whoever made the
/// picture may have made it to crash its reader.
package struct PictureReading: Sendable {
    /// The reason why nothing was read.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// Indicates whether the picture is the reason, and not this host.
        package let isOfPicture: Bool

        /// The reason, for people.
        package let description: String
    }

    /// The time that the reader has.
    private static let timeout = Duration.seconds(5)

    /// The most bytes that it prints: 16 codes of the largest size.
    private static let outputLimit = 1 << 17

    /// The status with which it says that the picture is none.
    private static let noPicture: Int32 = 1

    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the texts of the codes, each once. The thread is blocked meanwhile.
    package func texts() throws(Problem) -> [String] {
        let run = ProgramRun(
            ["/proc/self/exe", "read-picture"],
            input: bytes,
            timeout: Self.timeout,
            outputLimit: Self.outputLimit
        )
        let (end, output) = run.run()
        let text = String(decoding: output, as: UTF8.self)
        switch end {
        case .exit(0): break
        case .exit(let status):
            let said = DisplayText(text.split(separator: "\n").last.map(String.init) ?? "", limit: 200).text
            let reason = said.hasPrefix("clawradar: ") ? String(said.dropFirst(11)) : said
            throw Problem(isOfPicture: status == Self.noPicture, description: reason)
        case .timedOut:
            throw Problem(
                isOfPicture: true,
                description: "expected a picture that is read within 5 s, found a slower one."
            )
        case .signal, .stopped:
            throw Problem(
                isOfPicture: true,
                description: "expected a picture, found one that its reader did not survive."
            )
        case .failed(let reason):
            throw Problem(isOfPicture: false, description: "its reader cannot be run: \(reason).")
        }
        var seen: Set<String> = []
        return text.split(separator: "\n").compactMap { line in
            Base64.url.decode(line).flatMap { String(validating: $0, as: UTF8.self) }
        }.filter { seen.insert($0).inserted }
    }
}
