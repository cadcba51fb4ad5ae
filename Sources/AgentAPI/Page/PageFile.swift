internal import CPage
internal import HTTPTypes

/// A file of the page, which is a part of this program: nothing is looked for on disk.
struct PageFile: Hashable, Sendable {
    /// The media types, by the ends of names.
    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    ]

    /// The sources of all that a browser takes for the page: this program alone, and no text is ever read as markup.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
        "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ]

    /// The header fields by which a browser keeps other pages away from this one.
    static let headers: HTTPFields = {
        var fields: HTTPFields = [.contentSecurityPolicy: policy.joined(separator: "; ")]
        let more = [
            "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy":
                "camera=(self), clipboard-read=(self), clipboard-write=(self), geolocation=(), microphone=(), usb=()",
        ]
        for (name, value) in more { if let name = HTTPField.Name(name) { fields[name] = value } }
        return fields
    }()

    let name: String
    let bytes: [UInt8]

    /// All of them.
    static var all: [PageFile] { stored.map(PageFile.init) }

    /// What is sent of them to whoever takes it packed: a third.
    private static let packed: [String: [UInt8]] = {
        guard let deflate = Deflate() else { return [:] }
        return Dictionary(all.compactMap { file in deflate.packed(file.bytes).map { (file.name, $0) } }) { $1 }
    }()

    private static var stored: some Sequence<page_file> {
        ((0 as UInt)...).lazy.map(page_file_at).prefix { $0.name != nil }
    }

    /// Finds a file; `nil` if there is none of this name.
    init?(named name: String) {
        guard let found = Self.stored.first(where: { String(cString: $0.name) == name }) else { return nil }
        self.init(found)
    }

    private init(_ file: page_file) {
        name = String(cString: file.name)
        bytes = Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.size)))
    }

    /// The bytes as zlib packs them (RFC 1950), which HTTP names `deflate`; `nil` where there is no zlib.
    var packed: [UInt8]? { Self.packed[name] }

    /// The media type.
    var type: String {
        Self.types[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }
}

extension APIAnswer {
    /// Makes the answer with a file of the page.
    static func page(file name: String, _ query: APIQuery) throws(APIProblem) -> APIAnswer {
        guard let file = PageFile(named: name) else { throw APIProblem(.notFound, "the page has no such file") }
        return .page(file, isPacked: query.takesDeflate)
    }
}
