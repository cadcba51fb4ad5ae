internal import Console
internal import QRCodes
internal import SystemPackage

/// A file that is a picture with QR codes.
struct Picture {
    let path: String

    /// Reads the codes, each once.
    func codes() throws(CommandFailure) -> [String] {
        let reading = PictureReading(try bytes())
        do throws(PictureReading.Problem) {
            return try reading.texts()
        } catch {
            throw CommandFailure(error.isOfPicture ? .nothingFound : .unavailable, "\(path): \(error)")
        }
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
