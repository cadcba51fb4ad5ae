import TestSupport
import Testing

/// Protection of everything that the querier asks and reports against changes that are only meant to move, rename or
/// speed up code.
@Suite struct QuerierTranscriptTests {
    /// The seeds of random sequences of events, and the digest of each transcript at the last intended change of
    /// behaviour.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xBCFE_C9F6_76F5_29A2), (1, 0x43D4_E037_D60F_C418), (2, 0x4CBE_7DEA_3538_DC46),
        (3, 0xECF1_0BC9_8563_72C1), (4, 0xD8ED_E3AD_299D_786C), (5, 0xF59B_D4AA_80C0_4E04),
        (6, 0x141B_327B_7D7E_82F6), (7, 0x5CB5_7BC6_1CE3_748C), (8, 0x9323_1CC2_65E7_825D),
        (9, 0xCF49_7016_B644_36ED), (10, 0x1901_F733_4C5C_EB13), (11, 0xF5FA_E32B_FD46_2F3D),
        (12, 0x4730_B09F_E8A5_2966), (13, 0xBB52_70BA_7F6B_0B25), (14, 0x0CFC_2D4E_EF92_1678),
        (15, 0xF616_9A54_327B_61EA), (16, 0xB79F_BFB3_40CB_284F), (17, 0x0C58_5285_1211_6EBF),
        (18, 0x4A5E_1A16_0BB6_8CF3), (19, 0xB9EF_4E3F_3FDE_C33F), (20, 0x6334_8999_FAE7_FAE7),
        (21, 0x9369_A923_D174_8C07), (22, 0xC262_0E3E_ABA0_35BA), (23, 0xC68A_8677_3B7A_B6D4),
        (24, 0x2723_D23A_E84A_6605), (25, 0xF764_815B_2F74_D325), (26, 0xF335_6471_1356_B2A5),
        (27, 0xB33C_4AAD_490B_BCD8), (28, 0x744D_2533_5712_9E8F), (29, 0x770A_7F32_9822_71FB),
        (30, 0x1195_A0EE_2ED4_BB87), (31, 0x6B13_D349_FD3A_529A), (32, 0x40D7_219B_E02D_5391),
        (33, 0x4550_16C5_EA1F_F5FE), (34, 0x10B1_DE9C_7EDF_D9C9), (35, 0xBC9D_68A8_2316_1843),
        (36, 0x6EC8_40C5_D1A7_542E), (37, 0x025D_0FA0_8F00_3EEF), (38, 0xBD7B_8C93_6FE7_C89D),
        (39, 0x2D9E_D721_B0E6_3A95),
    ]

    @Test func theQuerierDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "querier") {
            try QuerierTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
