import TestSupport
import Testing

/// Protects what the querier asks and reports, from beginning to end, against what is only meant to move, rename or hasten
/// something.
@Suite struct QuerierTranscriptTests {
    /// Courses of random events, by their seeds, and what the querier did in each when it was last meant to change.
    ///
    /// Left out are seeds where it depends on the order of a dictionary's elements, as who is given up first.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x7F50_6309_0B42_11C4), (1, 0x992F_42DB_7152_C0AC), (4, 0xC13A_BE4E_9377_BEFC),
        (5, 0xD3E0_F943_3CD8_AC38), (7, 0xB841_C2BC_4605_A73C), (8, 0xC266_36AD_6A2F_5E29),
        (10, 0x08E6_A8B4_8EC1_5413), (13, 0xE305_364C_4535_4465), (14, 0x1288_C2B5_599E_6518),
        (16, 0x0DB1_0597_2657_0551), (19, 0xDB00_A4AC_7E37_7E95), (21, 0x7707_58EC_8292_FC39),
        (22, 0x4BD1_6C83_4799_7B7C), (23, 0xBF03_F16F_6931_1A32), (24, 0x2C37_96B7_AC03_E0A5),
        (25, 0xCF78_2FA5_72A5_6F41), (26, 0xB9D6_945E_E20C_AE25), (28, 0x75B6_095B_266A_3017),
        (29, 0xFF2C_ADCF_5332_FCBB), (30, 0x1CC6_BBCD_562B_25AB), (31, 0xD2B2_9B63_FFD0_3482),
        (32, 0x3851_1B26_40FB_7393), (33, 0x3F5E_B346_AD01_EED2), (34, 0x47D6_5759_56DB_76CB),
        (35, 0xA200_5006_FB2C_78BF), (36, 0xF0D5_09E3_4168_7C92), (37, 0x1D71_C0FA_4D71_DA7D),
        (38, 0xB685_4B54_3900_83BF), (39, 0xD279_C7CC_EC5E_4115),
    ]

    @Test func theQuerierDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "querier") {
            try QuerierTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
