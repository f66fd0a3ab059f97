/* Random play-outs of connect four and breakthrough on bit boards, written by hand: what machine code that was made of
   rules is measured against. Every choice is uniform among all legal moves (up to one part in 2^32). */

#include <stdint.h>
#if defined __BMI2__ || defined __AVX2__
#include <immintrin.h>
#endif

static inline uint32_t drawn(uint64_t *seed, uint32_t below)
{
    uint64_t x = *seed;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *seed = x;
    return (uint32_t)((uint64_t)(uint32_t)(x >> 32) * below >> 32);
}

/* The bit of `set` before which there are `index` others. */
static inline uint64_t picked(uint64_t set, uint32_t index)
{
#ifdef __BMI2__
    return _pdep_u64((uint64_t)1 << index, set);
#else
    while (index--)
        set &= set - 1;
    return set & -set;
#endif
}

/* Seven columns of six cells, an empty bit above each. */
static inline int four(uint64_t board)
{
#ifdef __AVX2__
    __m256i two = _mm256_set1_epi64x((long long)board);
    two = _mm256_and_si256(two, _mm256_srlv_epi64(two, _mm256_set_epi64x(1, 7, 8, 6)));
    return !_mm256_testz_si256(two, _mm256_srlv_epi64(two, _mm256_set_epi64x(2, 14, 16, 12)));
#else
    uint64_t up = board & board >> 1, side = board & board >> 7;
    uint64_t rising = board & board >> 8, falling = board & board >> 6;
    return ((up & up >> 2) | (side & side >> 14) | (rising & rising >> 16) | (falling & falling >> 12)) != 0;
#endif
}

/* Moves of all the games together; `won` counts the games that the first and the second player won. */
uint64_t connect_four(uint64_t games, uint64_t *seed, uint64_t won[2])
{
    uint64_t moves = 0;
    for (uint64_t game = 0; game < games; game++) {
        uint64_t mine = 0, all = 0, open = 0x6543210;
        uint32_t columns = 7, discs = 0;
        for (;;) {
            uint32_t place = drawn(seed, columns) * 4;
            uint32_t column = (uint32_t)(open >> place & 7) * 7;
            uint64_t disc = (all + ((uint64_t)1 << column)) & (uint64_t)0x3f << column;
            all |= disc;
            mine |= disc;
            discs++;
            if (four(mine)) {
                won[~discs & 1]++;
                break;
            }
            if (all & (uint64_t)0x20 << column) {
                uint64_t before = ((uint64_t)1 << place) - 1;
                open = (open & before) | (open >> 4 & ~before);
                if (!--columns)
                    break;
            }
            mine ^= all;
        }
        moves += discs;
    }
    return moves;
}

#define NOT_FIRST 0xfefefefefefefefeULL
#define NOT_LAST 0x7f7f7f7f7f7f7f7fULL

/* One move up the board; where the next player stands the board is turned round. */
uint64_t breakthrough(uint64_t games, uint64_t *seed, uint64_t won[2])
{
    uint64_t moves = 0;
    for (uint64_t game = 0; game < games; game++) {
        uint64_t mine = 0xffff, other = 0xffffULL << 48;
        uint64_t made = 0;
        for (;;) {
            uint64_t ahead = mine << 8 & ~(mine | other);
            uint64_t left = (mine & NOT_FIRST) << 7 & ~mine;
            uint64_t right = (mine & NOT_LAST) << 9 & ~mine;
            uint32_t first = (uint32_t)__builtin_popcountll(ahead), second = (uint32_t)__builtin_popcountll(left);
            uint32_t third = (uint32_t)__builtin_popcountll(right);
            uint32_t index = drawn(seed, first + second + third);
            /* which of the three it is hangs on chance alone: no jumps */
            uint64_t in_second = -(uint64_t)(index >= first), in_third = -(uint64_t)(index >= first + second);
            uint64_t set = (ahead & ~in_second) | (left & in_second & ~in_third) | (right & in_third);
            uint32_t shift = 8 - (uint32_t)(in_second & 1) + 2 * (uint32_t)(in_third & 1);
            index -= (uint32_t)(in_second & first) + (uint32_t)(in_third & second);
            uint64_t target = picked(set, index);
            mine ^= target | target >> shift;
            other &= ~target;
            made++;
            if (target >> 56 || !other) {
                won[~made & 1]++;
                break;
            }
            uint64_t turned = __builtin_bswap64(other);
            other = __builtin_bswap64(mine);
            mine = turned;
        }
        moves += made;
    }
    return moves;
}
