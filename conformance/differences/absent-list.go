// go mod init x && go get github.com/aws/aws-sdk-go-v2/service/ecs && go run absent-list.go
// The response has no list, so the path has an error (`length` of null). The wait succeeds, because an absent list is an empty one in Go.
package main

import ("context"; "fmt"; "net/http"; "net/http/httptest"; "time"; "github.com/aws/aws-sdk-go-v2/aws"; "github.com/aws/aws-sdk-go-v2/service/ecs")

func main() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{}`)
	}))
	client := ecs.New(ecs.Options{Region: "us-east-1", BaseEndpoint: &service.URL, Credentials: aws.AnonymousCredentials{}})
	waiter := ecs.NewServicesStableWaiter(client, func(o *ecs.ServicesStableWaiterOptions) { o.MinDelay, o.MaxDelay = time.Second, time.Second })
	input := ecs.DescribeServicesInput{Services: []string{"web"}}
	fmt.Println(waiter.Wait(context.Background(), &input, 4*time.Second))
}
