internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import QRCodes
internal import SystemPackage

/// A picture with QR codes, which another process of this program reads: whoever made it may have made it to crash its
/// reader.
struct Picture {
    /// The time that the reader has.
    private static let timeout = Duration.seconds(5)

    /// The most bytes that it prints: 16 codes of the largest size.
    private static let outputLimit = 1 << 17

    let path: String

    /// Reads the codes, each once.
    func codes() throws(CommandFailure) -> [String] {
        let run = ProgramRun(
            ["/proc/self/exe", "read-picture"],
            input: try bytes(),
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
            throw CommandFailure(ExitCode(status), "\(path): \(reason)")
        case .timedOut:
            throw CommandFailure(
                .nothingFound,
                "\(path): expected a picture that is read within 5 s, found a slower one."
            )
        case .signal, .stopped:
            throw CommandFailure(
                .nothingFound,
                "\(path): expected a picture, found one that its reader did not survive."
            )
        case .failed(let reason):
            throw CommandFailure(.unavailable, "\(path): its reader cannot be run: \(reason).")
        }
        var seen: Set<String> = []
        return text.split(separator: "\n").compactMap { line in
            Base64.url.decode(line).flatMap { String(validating: $0, as: UTF8.self) }
        }.filter { seen.insert($0).inserted }
    }

    /// Reads the file, as far as it may be a picture.
    private func bytes() throws(CommandFailure) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                var bytes: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 1 << 16)
                while bytes.count <= GreyPicture.mostBytes {
                    let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
                    guard count > 0 else { break }
                    bytes += chunk[..<count]
                }
                return bytes
            }
        } catch {
            throw CommandFailure(.usage, "\(path): the picture cannot be read: \(error).")
        }
    }
}
