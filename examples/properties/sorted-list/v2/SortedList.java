/** A list that keeps its numbers in order. */
class SortedList {
    static class Node {
        int value;
        Node next;
    }

    Node first;
    int size;

    void add(int value) {
        Node node = new Node();
        node.value = value;
        if (first == null || first.value >= value) {
            node.next = first;
            first = node;
        } else {
            Node before = first;
            while (before.next != null && before.next.value < value) before = before.next;
            node.next = before.next;
            before.next = node;
        }
        size = size + 1;
    }

    boolean isSorted() {
        for (Node node = first; node != null && node.next != null; node = node.next) {
            if (node.value > node.next.value) return false;
        }
        return true;
    }

    int length() {
        int length = 0;
        for (Node node = first; node != null; node = node.next) length++;
        return length;
    }

    int last() {
        Node node = first;
        while (node.next != null) node = node.next;
        return node.value;
    }

    static void fill(int a, int b, int c) {
        SortedList list = new SortedList();
        list.add(a);
        list.add(b);
        list.add(c);
        assert list.length() == 3;
        assert list.first.value <= a && list.first.value <= b && list.first.value <= c;
        assert list.last() >= a && list.last() >= b && list.last() >= c;
        assert list.isSorted();
    }
}
