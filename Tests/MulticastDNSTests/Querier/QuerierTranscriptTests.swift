import TestSupport
import Testing

/// Protection of everything that the querier asks and reports against changes that are only meant to move, rename or
/// speed up code.
@Suite struct QuerierTranscriptTests {
    /// The seeds of random sequences of events, and the digest of each transcript at the last intended change of
    /// behaviour.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x6F1E_464A_4201_1F24), (1, 0x8062_C493_522A_7562), (2, 0xF342_35F1_E3B6_CD13),
        (3, 0xA281_4F8D_A641_6F01), (4, 0x4322_0669_8D3D_3C64), (5, 0x2D75_486A_4B51_F2E3),
        (6, 0xAE8E_1C36_84CA_7CF2), (7, 0x4004_69A9_343F_1C66), (8, 0x9EA1_97F6_6071_14A3),
        (9, 0x20D7_1A5E_B602_1B51), (10, 0xF186_3EB4_D703_3E74), (11, 0x824F_AD35_3377_681F),
        (12, 0x481A_88A8_7165_B787), (13, 0xFCF8_749F_8168_701A), (14, 0xCB97_C40B_3AA4_0B55),
        (15, 0xBC3E_4BD4_109D_9BC2), (16, 0x31E5_7BE2_8455_C772), (17, 0xE10F_826A_B180_69F5),
        (18, 0x9145_07C4_4A66_9152), (19, 0x80C1_37F6_BDB0_88FE), (20, 0xC5A9_725D_3DE1_A5A1),
        (21, 0x3AD4_DDAE_973B_9E5B), (22, 0x1476_95AE_EBF6_21B2), (23, 0x41C5_1C23_36CE_1C04),
        (24, 0x4C51_3093_862A_C381), (25, 0x584B_C458_12F1_B075), (26, 0x9EB9_C445_C9A9_653D),
        (27, 0x4EB_802C_773B_F8E7), (28, 0xAE1C_684B_3DEF_2CB5), (29, 0x87AB_CB50_C337_A416),
        (30, 0x19F0_B20C_1FF4_4069), (31, 0x8890_9012_FA2A_A7F1), (32, 0x751D_75F2_3786_E34C),
        (33, 0x077C_4594_9F15_9D26), (34, 0x2E74_69F2_F6B5_F966), (35, 0x564A_AE1B_F72C_305D),
        (36, 0xBEDB_A898_C255_A96B), (37, 0xA462_00B4_F771_9B5D), (38, 0x4C27_0FE8_90F6_7BB0),
        (39, 0xA7E4_5016_7A23_583B),
    ]

    @Test func theQuerierDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "querier") {
            try QuerierTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
