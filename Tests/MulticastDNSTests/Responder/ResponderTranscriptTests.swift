import TestSupport
import Testing

/// Protection of everything that the responder sends and reports against changes that are only meant to move, rename or
/// speed up code.
@Suite struct ResponderTranscriptTests {
    /// The seeds of random sequences of events, and the digest of each transcript at the last intended change of
    /// behaviour.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xFBB7_3A0B_E6CA_673E), (1, 0xC208_D37A_29DA_D4BB), (2, 0x93A9_D3E0_438C_EF29),
        (3, 0x2FD2_195D_4052_B4F9), (4, 0x63BC_4408_D236_8791), (5, 0x5149_3BE0_856F_64EA),
        (6, 0x5A14_08C4_2E94_232F), (7, 0xFEE2_0B1D_3FE6_EF9B), (8, 0xD491_3D2A_8B7C_A4FE),
        (9, 0x237B_4407_0815_26BB), (10, 0x0E3B_1E30_567E_3B5A), (11, 0x834F_E239_C916_7B79),
        (12, 0x7F1B_EB3D_5289_6002), (13, 0x9A7E_3AC7_AAF9_BFCC), (14, 0x3109_CDCC_B5B6_E688),
        (15, 0xC5D0_3D41_7440_C415), (16, 0x2E8D_A1F1_E980_615D), (17, 0xDF25_50A5_A829_22AB),
        (18, 0x4B5C_2936_6EEC_1FBA), (19, 0x528D_AC42_9B1F_8D33), (20, 0x0B58_CF78_A9EE_74D5),
        (21, 0xEF87_DB5A_CFEB_E92E), (22, 0xFBAE_9DE4_C336_C6DC), (23, 0x8964_1EC0_E54E_2832),
        (24, 0x22FF_4610_9AEA_419F), (25, 0x2380_871C_2F9E_E96E), (26, 0x8ADA_8DC7_1071_A71D),
        (27, 0x5CDF_F57F_9C4E_D5B8), (28, 0x6EA3_B0C1_D9B5_DD19), (29, 0xA927_8E50_4371_8E5D),
        (30, 0x3441_F609_E4E7_89D0), (31, 0x57EB_F10C_290F_E2F0), (32, 0x6AFD_77D3_56A6_8EA4),
        (33, 0x9148_1EA2_D6D0_70DD), (34, 0x50E2_1473_355E_1A1C), (35, 0x0F9A_9B85_5BCA_3BED),
        (36, 0x2EDE_29B7_B371_90E2), (37, 0xCF2B_31BF_F535_7E72), (38, 0x9615_1ED5_E70D_6250),
        (39, 0x6A19_EFA2_4445_8FC8),
    ]

    @Test func theResponderDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "responder") {
            try ResponderTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
