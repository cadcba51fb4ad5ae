internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import HostSystem
internal import QRCodes
internal import SystemPackage

/// The program that `clawradar pair --qr` runs to read a picture, which may come from anybody: a process of its own, with
/// little memory and time, which opens neither a store nor a network. The picture is its standard input; it prints each
/// QR code as a line of base64url.
struct ReadPictureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-picture",
        abstract: "Reads the QR codes of a picture on standard input.",
        shouldDisplay: false
    )

    /// The memory that it may have, besides what it starts with.
    private static let memory = 96 << 20

    func run() throws {
        ProcessLimits.limitMemory(to: Self.memory)
        let picture: GreyPicture
        do throws(GreyPicture.Problem) {
            picture = try GreyPicture(parsing: try Self.input())
        } catch {
            throw CommandFailure(.nothingFound, "\(error)")
        }
        guard let reader = QRReader() else {
            throw CommandFailure(
                .unavailable,
                "expected the library libzbar for QR codes, found none: it is in the package libzbar0"
            )
        }
        guard let codes = reader.codes(in: picture) else {
            throw CommandFailure(.unavailable, "expected libzbar 0.23 to read the picture, found that it could not")
        }
        let lines = codes.map { Base64.url.encode($0) + "\n" }.joined()
        try StandardOutput().write(lines)
    }

    private static func input() throws(GreyPicture.Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { chunk.deallocate() }
        while bytes.count <= GreyPicture.mostBytes {
            guard let count = try? FileDescriptor.standardInput.read(into: chunk), count > 0 else { break }
            bytes += chunk[..<count]
        }
        guard bytes.count <= GreyPicture.mostBytes else { throw .tooLong }
        return bytes
    }
}
