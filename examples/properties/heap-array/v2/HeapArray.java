/** A heap in an array: no child is larger than its parent. */
class HeapArray {
    static void fill(int a, int b, int c, int d) {
        int[] heap = new int[4];
        int size = 0;
        size = push(heap, size, a);
        size = push(heap, size, b);
        size = push(heap, size, c);
        size = push(heap, size, d);
        assert size == 4;
        assert heap[0] >= heap[1] && heap[0] >= heap[2];
        assert heap[1] >= heap[3];
    }

    static int push(int[] heap, int size, int value) {
        heap[size] = value;
        int at = size;
        while (at > 0 && heap[(at - 1) / 2] < heap[at]) {
            int parent = (at - 1) / 2;
            int other = heap[parent];
            heap[parent] = heap[at];
            heap[at] = other;
            at = parent;
        }
        return size + 1;
    }
}
