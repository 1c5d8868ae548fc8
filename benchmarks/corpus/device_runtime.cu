// What the device's runtime library does: printing, assertions, memory, clocks, profiling, traps.
// Makes nvcc emit: .extern functions, vprintf with a local buffer, string constants, call.uni, alloca, nanosleep, brkpt.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ const char greeting[] = "hello \"world\" \\ tab\t, bell\a\n";

struct Node {
    Node *next;
    int value;
    double weight;
};

__global__ void print(int integer, double real, const char *words) {
    printf("%d %08x %lld %f %e %c %s %p %%\n", integer, integer, 1LL << integer, real, real, 'x', words, words);
    printf(greeting);
    printf("thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

__global__ void check(const int *values, int limit) {
    assert(values[threadIdx.x] < limit);
    assert(limit > 0 && "the limit is positive");
}

__global__ void build_list(Node **lists, int length) {
    Node *head = nullptr;
    for (int i = 0; i < length; ++i) {
        Node *node = static_cast<Node *>(malloc(sizeof(Node)));
        if (!node)
            break;
        node->next = head;
        node->value = i;
        node->weight = 1.0 / (i + 1);
        head = node;
    }
    lists[threadIdx.x] = head;
}

__global__ void destroy_list(Node **lists) {
    for (Node *node = lists[threadIdx.x], *next; node; node = next) {
        next = node->next;
        free(node);
    }
    delete[] new int[17];
}

__global__ void copy_bytes(unsigned char *to, const unsigned char *from, size_t count) {
    memcpy(to, from, count);
    memset(to + count, 0xa5, 64);
    Node local[3];
    memcpy(local, from, sizeof local);
    to[0] = static_cast<unsigned char>(local[count % 3].value);
}

__global__ void on_the_stack(int *values, int count) {
    int *scratch = static_cast<int *>(alloca(count * sizeof(int)));
    for (int i = 0; i < count; ++i)
        scratch[i] = values[count - 1 - i];
    for (int i = 0; i < count; ++i)
        values[i] = scratch[i] * scratch[(i * 7) % count];
}

__global__ void take_time(long long *times, int nanoseconds) {
    times[0] = clock64();
    times[1] = clock();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[2]));
    __nanosleep(nanoseconds);
    __prof_trigger(3);
    if (nanoseconds < 0)
        __brkpt();
    times[3] = clock64() - times[0];
    if (nanoseconds == 77)
        __trap();
}
