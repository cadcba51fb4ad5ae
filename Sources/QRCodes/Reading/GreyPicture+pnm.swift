/// The portable pixmaps of Netpbm: bitmap, greymap and pixmap, as text and in bytes (pbm(5), pgm(5), ppm(5)).
extension GreyPicture {
    /// Reads a PNM.
    static func pnm(_ bytes: [UInt8]) throws(Problem) -> GreyPicture {
        var reader = NumberReader(bytes: bytes[...])
        guard bytes.count > 2, case let kind = Int(bytes[1]) - 48, (1...6).contains(kind) else { throw .format }
        reader.bytes = bytes.dropFirst(2)
        let isBitmap = kind == 1 || kind == 4
        guard let width = reader.number(), let height = reader.number() else { throw .corrupt }
        let count = try count(width, height)
        guard let most = isBitmap ? 1 : reader.number(), (1...65_535).contains(most) else { throw .corrupt }
        // One white space ends the header of those in bytes.
        if kind > 3 { reader.bytes = reader.bytes.dropFirst() }
        let hasColours = kind == 3 || kind == 6
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count)
        for index in 0..<count {
            let sample: Int?
            switch kind {
            // The digits of a bitmap may stand without anything between them.
            case 1: sample = reader.digit()
            case 4: sample = reader.bit(index % width)
            case 2, 3: sample = hasColours ? reader.mean { $0.number() } : reader.number()
            default: sample = hasColours ? reader.mean { $0.sample(most) } : reader.sample(most)
            }
            guard let sample, sample <= most else { throw .corrupt }
            // In a bitmap, 1 is black.
            pixels.append(UInt8((isBitmap ? 1 - sample : sample) * 255 / most))
            if kind == 4, index % width == width - 1 { reader.bytes = reader.bytes.dropFirst() }
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }
}

/// Numbers between white space and comments, as a PNM has them.
private struct NumberReader {
    var bytes: ArraySlice<UInt8>

    /// Reads a number; `nil` if there is none, or it is not below a milliard.
    mutating func number() -> Int? {
        skip()
        let digits = bytes.prefix(10).prefix { (48...57).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        bytes = bytes.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    /// Reads one digit of a bitmap as text.
    mutating func digit() -> Int? {
        skip()
        guard let digit = bytes.popFirst(), digit == 48 || digit == 49 else { return nil }
        return Int(digit) - 48
    }

    /// Reads one bit of a row of a bitmap in bytes, whose last byte is filled up. The byte is left behind by its last bit.
    mutating func bit(_ column: Int) -> Int? {
        if column > 0, column % 8 == 0 { bytes = bytes.dropFirst() }
        return bytes.first.map { Int($0 >> (7 - UInt8(column % 8)) & 1) }
    }

    /// Reads a sample in one byte, or in two where one is not enough.
    mutating func sample(_ most: Int) -> Int? {
        guard let high = bytes.popFirst() else { return nil }
        guard most > 255 else { return Int(high) }
        return bytes.popFirst().map { Int(high) << 8 | Int($0) }
    }

    /// Returns the mean of the three colours of a pixel, each read by a closure.
    mutating func mean(_ read: (inout NumberReader) -> Int?) -> Int? {
        var sum = 0
        for _ in 0..<3 {
            guard let value = read(&self) else { return nil }
            sum += value
        }
        return sum / 3
    }

    private mutating func skip() {
        while let byte = bytes.first {
            if byte == UInt8(ascii: "#") {
                bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
            } else if byte == 32 || (9...13).contains(byte) {
                bytes = bytes.dropFirst()
            } else {
                return
            }
        }
    }
}
