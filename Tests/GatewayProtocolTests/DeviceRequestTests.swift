import Testing

@testable import GatewayProtocol

/// The devices that wait at a gateway. Strangers write these entries, and what an admin sees of one is what it approves.
@Suite struct DeviceRequestTests {
    private func list(_ text: String) throws -> DeviceRequestList {
        try DeviceRequestList(json: try JSONValue(parsing: Array(#"{"pending":\#(text),"paired":[]}"#.utf8)))
    }

    private func request(_ fields: String) throws -> DeviceRequest? {
        try list(#"[{"requestId":"r-1",\#(fields)}]"#).requests.first
    }

    @Test func anEntryIsRead() throws {
        let found = try list(
            #"""
            [{"requestId":"0f3c8a52-6b1e-4d0a-9f37-5a1c2e7d4b90","deviceId":"ab","publicKey":"k","displayName":"Phone",
              "platform":"ios","role":"operator","roles":["operator","node"],"scopes":["operator.read"],
              "remoteIp":"10.0.0.9","ts":1737264000000,"new":{}}]
            """#
        )
        let only = try #require(found.requests.first)
        #expect(found.requests.count == 1 && found.leftOut == 0)
        #expect(only.id == "0f3c8a52-6b1e-4d0a-9f37-5a1c2e7d4b90" && only.deviceID == "ab")
        #expect(only.name == "Phone" && only.platform == "ios" && only.address == "10.0.0.9")
        #expect(only.roles == ["operator", "node"] && only.scopes == ["operator.read"])
        #expect(only.time == 1_737_264_000_000)
    }

    /// A role that stands beside a list without it is asked for as well.
    @Test func theRoleBesideTheListCounts() throws {
        #expect(try request(#""role":"node","roles":["operator"]"#)?.roles == ["node", "operator"])
        #expect(try request(#""role":"operator""#)?.roles == ["operator"])
    }

    /// A request that is not understood is not shown, since an admin must see all that it approves.
    @Test(
        arguments: [
            #""scopes":"operator.admin""#, #""scopes":["operator.read",{}]"#, #""scopes":[""]"#, #""roles":[1]"#,
            #""scopes":["\#(String(repeating: "x", count: 129))"]"#,
            #""role":"\#(String(repeating: "x", count: 129))""#,
            #""scopes":[\#(Array(repeating: "\"a\"", count: 33).joined(separator: ","))]"#,
        ]
    )
    func whatIsNotUnderstoodIsLeftOut(fields: String) throws {
        let found = try list(#"[{"requestId":"r-1",\#(fields)},{"requestId":"r-2"}]"#)
        #expect(found.requests.map(\.id) == ["r-2"] && found.leftOut == 1)
    }

    /// An identifier is typed on command lines.
    @Test(arguments: ["", "-x", "a b", "a;b", "$(x)", "ä", String(repeating: "a", count: 129)])
    func anIdentifierIsOneThatCanBeTyped(id: String) throws {
        let found = try list(#"[{"requestId":"\#(id)"}]"#)
        #expect(found.requests.isEmpty && found.leftOut == 1)
    }

    @Test func theListIsBounded() throws {
        let entries = (1...70).map { #"{"requestId":"r-\#($0)"}"# } + [#"{"requestId":"r-1"}"#]
        let found = try list("[\(entries.joined(separator: ","))]")
        #expect(found.requests.count == DeviceRequestList.most && found.leftOut == 7)
        #expect(throws: GatewayMessageError.self) { try DeviceRequestList(json: .object([:])) }
        #expect(throws: GatewayMessageError.self) { try DeviceRequestList(json: nil) }
    }

    /// An admin grants no more than it has, and only an admin of the whole gateway grants other roles.
    @Test(
        arguments: [
            (#""role":"operator","scopes":["operator.read"]"#, ["operator.read", "operator.pairing"], []),
            (#""role":"operator","scopes":["operator.read"]"#, ["operator.read"], ["operator.pairing"]),
            (#""role":"operator","scopes":["operator.read"]"#, ["operator.write", "operator.pairing"], []),
            (#""scopes":["operator.write","x"]"#, ["operator.read", "operator.pairing"], ["operator.write", "x"]),
            (#""scopes":["operator.pairing"]"#, ["operator.read", "operator.pairing"], []),
            (#""role":"node","scopes":[]"#, ["operator.read", "operator.pairing"], ["operator.admin"]),
            (#""roles":["operator","node"]"#, ["operator.admin"], []),
            (#""scopes":["operator.admin","operator.admin"]"#, ["operator.pairing"], ["operator.admin"]),
        ] as [(String, [String], [String])]
    )
    func nobodyGrantsMoreThanItHas(fields: String, granted: [String], lacking: [String]) throws {
        #expect(try #require(try request(fields)).scopesLacking(in: granted) == lacking)
    }
}
