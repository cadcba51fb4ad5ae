import Foundation
import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import AgentAPI

/// The files of the page, as they are in the program.
@Suite struct PageFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Page/files")

    /// A file that is not in the program would be missing only for users.
    @Test func allFilesAreInTheProgramAsTheyAre() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(PageFile.all.map(\.name).sorted() == names.sorted())
        for name in names {
            let file = try #require(PageFile(named: name))
            #expect(try Data(contentsOf: Self.folder.appending(path: name)) == Data(file.bytes), "\(name)")
            #expect(file.type != "application/octet-stream", "\(name)")
        }
        #expect(PageFile(named: "other.js") == nil)
    }

    /// The whole page is small: it is read at once, over a tunnel too.
    @Test func thePageIsSmall() {
        #expect(PageFile.all.reduce(0) { $0 + $1.bytes.count } <= 182_000)
    }

    /// Whoever takes it packed gets the same in a third of the bytes; others, and hosts without zlib, get it as it is.
    @Test func thePageIsPackedForWhomeverTakesIt() throws {
        #expect(APIQuery("", encodings: "gzip, deflate, br").takesDeflate)
        for other in [nil, "gzip", "deflate;q=0", "identity"] { #expect(!APIQuery("", encodings: other).takesDeflate) }
        for file in PageFile.all {
            let plain = APIResponse.make(.page(file, isPacked: false), version: "1")
            #expect(plain.headers[.contentEncoding] == nil && plain.body.contentLength == file.bytes.count)
            let sent = APIResponse.make(.page(file, isPacked: true), version: "1")
            #expect((sent.headers[.contentEncoding] == "deflate") == (file.packed != nil), "\(file.name)")
            #expect(sent.body.contentLength == (file.packed ?? file.bytes).count)
            guard let packed = file.packed else { continue }
            #expect(try Unpacking.unpacked(packed, count: file.bytes.count) == file.bytes, "\(file.name)")
        }
        let sizes = PageFile.all.compactMap(\.packed?.count)
        #expect(sizes.isEmpty || sizes.reduce(0, +) <= 64_000)
    }

    /// Nothing but this program is a source of the page, and no other page sees it or frames it.
    @Test func theHeaderFieldsKeepOthersAway() throws {
        let file = try #require(PageFile(named: "index.html"))
        let fields = APIResponse.make(.page(file, isPacked: false), version: "1").headers
        let policy = try #require(fields[.contentSecurityPolicy])
        for wanted in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"] {
            #expect(policy.contains(wanted), "\(wanted)")
        }
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        // The made-up agent of the page's tests says the same.
        let mock = try DocumentedCommand.text("Tests/PageTests/mock-agent.mjs")
        #expect(mock.contains(policy))
        #expect(fields[.contentType] == "text/html; charset=utf-8" && fields[.xContentTypeOptions] == "nosniff")
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Embedder-Policy", "require-corp"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            #expect(fields[try #require(HTTPField.Name(name))] == value)
        }
    }

    /// A picture is read by another process, which is told nothing but a greymap.
    @Test func onlyAGreymapIsReadForCodes() async throws {
        let problem = await #expect(throws: APIProblem.self) { try await PictureTexts(Array("P6 1 1 255 abc".utf8)) }
        #expect(problem?.status == .badRequest)
    }
}

/// The counterpart of zlib, as a browser has it.
private enum Unpacking {
    private typealias Uncompress =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>?, CUnsignedLong
        ) -> CInt

    static func unpacked(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        let found = try #require(dlsym(dlopen("libz.so.1", RTLD_NOW), "uncompress"))
        let uncompress = unsafeBitCast(found, to: Uncompress.self)
        var size = CUnsignedLong(count)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let status = uncompress(buffer.baseAddress, &size, bytes, CUnsignedLong(bytes.count))
            initialized = status == 0 ? Int(size) : 0
        }
    }
}
