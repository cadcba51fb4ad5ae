import GatewayProtocol
import Testing

/// A list that is read element by element.
@Suite struct JSONListReaderTests {
    /// A list that was cut off is never taken for a complete one, wherever it was cut.
    @Test func aListThatIsCutOffIsNotComplete() throws {
        let bytes = Array("[ 1 ,\n\"a]\" , {\"b\": [2]}\n ] ".utf8)
        let complete = bytes.count - 1
        for length in 1...bytes.count {
            var reader = try JSONListReader(Array(bytes.prefix(length)))
            var lines: [Int] = []
            while let element = reader.next() { lines.append(element.line) }
            #expect((reader.failure == nil) == (length >= complete), "\(length) bytes")
            if length >= complete { #expect(lines == [1, 2, 2]) }
        }
    }

    /// The failure names the line behind the last element.
    @Test(arguments: [("[", 1), ("[\n", 2), ("[1,", 1), ("[1,\n\n ", 3)])
    func theEndOfACutListIsNamed(text: String, line: Int) throws {
        var reader = try JSONListReader(Array(text.utf8))
        while reader.next() != nil {}
        #expect(reader.failure?.message == "expected an element or the end of the list, line \(line)")
    }

    /// An empty list is complete.
    @Test(arguments: ["[]", " [ \n] "]) func anEmptyListIsComplete(text: String) throws {
        var reader = try JSONListReader(Array(text.utf8))
        let isEmpty = reader.next() == nil
        #expect(isEmpty && reader.failure == nil)
    }
}
